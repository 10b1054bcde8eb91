use std::error::Error;
use std::sync::Arc;

use actix_files::Files;
use actix_web::web::ServiceConfig;

use super::Mount;
use crate::environment;

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let folder = environment::path("WEBDYNO_STATIC")?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        config.service(Files::new("/", &folder));
    }))
}
