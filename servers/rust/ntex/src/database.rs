//! The pool of connections to the database, shared by all workers.

use std::error::Error;

use deadpool_postgres::{Manager, Pool};
use tokio_postgres::NoTls;

use crate::environment;

/// Connections, where nothing is said of them.
const CONNECTIONS: usize = 16;

/// A pool for the database that DATABASE_URL names; connects when it is first asked.
pub fn pool() -> Result<Pool, Box<dyn Error>> {
    let database = environment::text("DATABASE_URL")?.parse()?;
    let pool = Pool::builder(Manager::new(database, NoTls))
        .max_size(environment::number("WEBDYNO_POOL")?.unwrap_or(CONNECTIONS))
        .build()?;
    Ok(pool)
}
