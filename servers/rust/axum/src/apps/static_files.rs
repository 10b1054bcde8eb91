use std::error::Error;

use axum::Router;
use tower_http::services::ServeDir;

use crate::environment;

pub fn router() -> Result<Router, Box<dyn Error>> {
    let folder = environment::path("WEBDYNO_STATIC")?;
    Ok(Router::new().fallback_service(ServeDir::new(folder)))
}
