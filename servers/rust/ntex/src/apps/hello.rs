use ntex::web::{self, ServiceConfig};

pub fn mount(config: &mut ServiceConfig) {
    config.service(hello);
}

#[web::get("/hello")]
async fn hello() -> &'static str {
    "Hello World"
}
