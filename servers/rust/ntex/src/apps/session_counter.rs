use std::error::Error;
use std::sync::Arc;

use deadpool_postgres::Pool;
use ntex::web::types::State;
use ntex::web::{self, ServiceConfig};
use ntex_session::{CookieSession, Session};
use serde::{Deserialize, Serialize};

use super::{Mount, failed};
use crate::{database, environment};

/// What the key of a signature has at least, in bytes.
const SHORTEST_KEY: usize = 32;

#[derive(Deserialize, Serialize)]
struct Visits {
    count: u64,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let key = environment::text("WEBDYNO_SECRET")?;
    if key.len() < SHORTEST_KEY {
        return Err(format!("WEBDYNO_SECRET must have {SHORTEST_KEY} bytes or more").into());
    }
    let pool = database::pool()?;
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        // The session of ntex is the cookie; it holds the id alone.
        let session = CookieSession::signed(key.as_bytes()).secure(false);
        let counter = web::resource("/")
            .middleware(session)
            .route(web::get().to(visit));
        config.state(pool.clone()).service(counter);
    }))
}

async fn visit(session: Session, pool: State<Pool>) -> Result<String, web::Error> {
    let uid = match session.get("uid")? {
        Some(uid) => uid,
        None => {
            let uid = hex::encode(rand::random::<[u8; 16]>());
            session.set("uid", &uid)?;
            uid
        }
    };
    let visits = count_visit(&pool, &uid).await.map_err(failed)?;
    Ok(format!("Count is {}", visits.count))
}

/// Counts a visit in the row of the session `uid`, which the first visit inserts.
async fn count_visit(pool: &Pool, uid: &str) -> Result<Visits, Box<dyn Error>> {
    let client = pool.get().await?;
    let select = "SELECT data FROM usersessions WHERE uid = $1";
    let select = client.prepare_cached(select).await?;
    if let Some(row) = client.query_opt(&select, &[&uid]).await? {
        let mut visits: Visits = serde_json::from_str(row.try_get(0)?)?;
        visits.count += 1;
        let update = "UPDATE usersessions SET data = $1 WHERE uid = $2";
        let update = client.prepare_cached(update).await?;
        let data = serde_json::to_string(&visits)?;
        client.execute(&update, &[&data, &uid]).await?;
        return Ok(visits);
    }
    let visits = Visits { count: 1 };
    let insert = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)";
    let insert = client.prepare_cached(insert).await?;
    let data = serde_json::to_string(&visits)?;
    client.execute(&insert, &[&uid, &data]).await?;
    Ok(visits)
}
