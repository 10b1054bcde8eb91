use std::error::Error;
use std::sync::{Arc, OnceLock};

use ntex::web::error::ErrorNotFound;
use ntex::web::types::{Query, State};
use ntex::web::{self, ServiceConfig};
use rand::seq::IndexedRandom;
use serde::Deserialize;
use sqlx::MySqlPool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};

use super::{Mount, failed};
use crate::environment;

/// Connections to the database, in all workers together, where nothing is said of them.
const CONNECTIONS: usize = 16;

#[derive(Clone)]
struct Lookup {
    pool: MySqlPool,
    /// The ids that one is drawn from where a request names none.
    candidates: Arc<[String]>,
}

#[derive(Deserialize)]
struct Wanted {
    id: Option<String>,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let skus = environment::text("WEBDYNO_SKUS")?;
    let candidates: Arc<[String]> = skus.split(',').map(String::from).collect();
    let connections = environment::number("WEBDYNO_POOL")?.unwrap_or(CONNECTIONS);
    let mut options = MySqlConnectOptions::new()
        .host(&environment::text("MYSQL_HOST")?)
        .port(environment::text("MYSQL_PORT")?.parse()?)
        .username(&environment::text("MYSQL_USER")?)
        .database(&environment::text("MYSQL_DATABASE")?);
    if let Ok(password) = environment::text("MYSQL_PASSWORD") {
        options = options.password(&password);
    }
    let pool = MySqlPoolOptions::new()
        .max_connections(connections.try_into()?)
        // By default each connection is asked whether it is alive before each use.
        .test_before_acquire(false);
    // Made by the first worker, because a pool can only be made where a runtime is there.
    let shared = OnceLock::new();
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        let connect = || Lookup {
            pool: pool.clone().connect_lazy_with(options.clone()),
            candidates: candidates.clone(),
        };
        config
            .state(shared.get_or_init(connect).clone())
            .service(sku);
    }))
}

#[web::get("/sku")]
async fn sku(wanted: Query<Wanted>, lookup: State<Lookup>) -> Result<String, web::Error> {
    let id = match &wanted.id {
        Some(id) => id,
        None => lookup
            .candidates
            .choose(&mut rand::rng())
            .expect("a text has at least one part"),
    };
    let select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";
    let found: Option<String> = sqlx::query_scalar(select)
        .bind(id)
        .fetch_optional(&lookup.pool)
        .await
        .map_err(failed)?;
    found.ok_or_else(|| ErrorNotFound("no such row").into())
}
