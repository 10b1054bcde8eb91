use actix_web::http::header::ContentType;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, Responder, get};

pub fn mount(config: &mut ServiceConfig) {
    config.service(hello);
}

#[get("/hello")]
async fn hello() -> impl Responder {
    HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .body("Hello World")
}
