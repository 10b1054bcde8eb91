use ntex::web::types::Json;
use ntex::web::{self, Responder, ServiceConfig};
use rand::RngExt;
use serde::Serialize;

pub fn mount(config: &mut ServiceConfig) {
    config.service(numbers);
}

#[web::get("/json")]
async fn numbers() -> impl Responder {
    Json(Numbers::draw())
}

#[derive(Serialize)]
struct Numbers {
    #[serde(rename = "Test Number 1")]
    number_1: u16,
    #[serde(rename = "Test Number 2")]
    number_2: u16,
    #[serde(rename = "Test Number 3")]
    number_3: u16,
    #[serde(rename = "Test Number 4")]
    number_4: u16,
    #[serde(rename = "Test Number 5")]
    number_5: u16,
    #[serde(rename = "Test Number 6")]
    number_6: u16,
    #[serde(rename = "Test Number 7")]
    number_7: u16,
    #[serde(rename = "Test Number 8")]
    number_8: u16,
    #[serde(rename = "Test Number 9")]
    number_9: u16,
    #[serde(rename = "Test Number 10")]
    number_10: u16,
}

impl Numbers {
    fn draw() -> Self {
        let mut rng = rand::rng();
        let mut number = || rng.random_range(0..=1000);
        Self {
            number_1: number(),
            number_2: number(),
            number_3: number(),
            number_4: number(),
            number_5: number(),
            number_6: number(),
            number_7: number(),
            number_8: number(),
            number_9: number(),
            number_10: number(),
        }
    }
}
