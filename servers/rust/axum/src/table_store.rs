//! The sessions of tower-sessions, in a table.

use async_trait::async_trait;
use deadpool_postgres::{Object, Pool};
use time::{Duration, OffsetDateTime};
use tokio_postgres::types::ToSql;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};

const SELECT: &str = "SELECT data FROM usersessions WHERE uid = $1";
const INSERT: &str = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)";
const UPDATE: &str = "UPDATE usersessions SET data = $2 WHERE uid = $1";
const DELETE: &str = "DELETE FROM usersessions WHERE uid = $1";

/// Keeps sessions in the table usersessions: the id in `uid`, the values as JSON in `data`. The
/// stores that there are bring tables of their own.
#[derive(Clone, Debug)]
pub struct TableStore {
    pool: Pool,
}

impl TableStore {
    pub fn new(pool: Pool) -> Self {
        Self { pool }
    }

    async fn client(&self) -> Result<Object> {
        self.pool.get().await.map_err(backend)
    }

    async fn run(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> Result<()> {
        let client = self.client().await?;
        let prepared = client.prepare_cached(statement).await.map_err(backend)?;
        client.execute(&prepared, values).await.map_err(backend)?;
        Ok(())
    }
}

#[async_trait]
impl SessionStore for TableStore {
    async fn create(&self, record: &mut Record) -> Result<()> {
        self.run(INSERT, &[&record.id.to_string(), &data(record)?])
            .await
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.run(UPDATE, &[&record.id.to_string(), &data(record)?])
            .await
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let client = self.client().await?;
        let select = client.prepare_cached(SELECT).await.map_err(backend)?;
        let found = client.query_opt(&select, &[&id.to_string()]).await;
        let Some(row) = found.map_err(backend)? else {
            return Ok(None);
        };
        let data: &str = row.try_get(0).map_err(backend)?;
        Ok(Some(Record {
            id: *id,
            data: serde_json::from_str(data).map_err(|error| Error::Decode(error.to_string()))?,
            // The table keeps no time: a session ends with its row.
            expiry_date: OffsetDateTime::now_utc() + Duration::weeks(2),
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.run(DELETE, &[&id.to_string()]).await
    }
}

fn data(record: &Record) -> Result<String> {
    serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))
}

fn backend(error: impl ToString) -> Error {
    Error::Backend(error.to_string())
}
