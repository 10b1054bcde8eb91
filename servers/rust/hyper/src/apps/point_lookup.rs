use std::error::Error;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use rand::seq::IndexedRandom;
use sqlx::MySqlPool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};

use crate::answer::{self, Answer, parameter};
use crate::environment;

/// Connections to the database, where nothing is said of them.
const CONNECTIONS: usize = 16;

/// Finds rows by their sku_id.
pub struct Lookup {
    pool: MySqlPool,
    /// The ids that one is drawn from where a request names none.
    candidates: Vec<String>,
}

impl Lookup {
    /// A pool for the database that the environment names; connects when it is first asked.
    pub fn connect() -> Result<Self, Box<dyn Error>> {
        let skus = environment::text("WEBDYNO_SKUS")?;
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
            .test_before_acquire(false)
            .connect_lazy_with(options);
        Ok(Self {
            pool,
            candidates: skus.split(',').map(String::from).collect(),
        })
    }

    pub async fn sku(&self, request: &Request<Incoming>) -> Answer {
        let asked = parameter(request, "id");
        let id = match &asked {
            Some(id) => id,
            None => self
                .candidates
                .choose(&mut rand::rng())
                .map(String::as_str)
                .expect("a text has at least one part"),
        };
        let select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";
        let found = sqlx::query_scalar::<_, String>(select)
            .bind(id)
            .fetch_optional(&self.pool)
            .await;
        let answered = found.map(|sku| match sku {
            Some(sku) => answer::text(StatusCode::OK, sku),
            None => answer::not_found(),
        });
        answer::or_error(answered.map_err(Into::into))
    }
}
