use std::error::Error;
use std::sync::Arc;

use actix_session::config::CookieContentSecurity;
use actix_session::storage::CookieSessionStore;
use actix_session::{Session, SessionMiddleware};
use actix_web::cookie::Key;
use actix_web::error::ErrorInternalServerError;
use actix_web::http::header::ContentType;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpResponse, Responder};
use deadpool_postgres::{Client, Pool};
use serde::{Deserialize, Serialize};

use super::Mount;
use crate::{database, environment};

#[derive(Deserialize, Serialize)]
struct Visits {
    count: u64,
}

pub fn load() -> Result<Mount, Box<dyn Error>> {
    let key = Key::try_from(environment::text("WEBDYNO_SECRET")?.as_bytes())?;
    let pool = Data::new(database::pool()?);
    let insert_alone = environment::text("INSERT_ALONE").is_ok();
    Ok(Arc::new(move |config: &mut ServiceConfig| {
        // The session of Actix is the cookie; it holds the id alone.
        let session = SessionMiddleware::builder(CookieSessionStore::default(), key.clone())
            .cookie_content_security(CookieContentSecurity::Signed)
            .cookie_secure(false)
            .build();
        let route = if insert_alone {
            web::get().to(visit_insert_alone)
        } else {
            web::get().to(visit)
        };
        let counter = web::resource("/").wrap(session).route(route);
        config.app_data(pool.clone()).service(counter);
    }))
}

async fn visit(session: Session, pool: Data<Pool>) -> actix_web::Result<impl Responder> {
    let uid = match session.get("uid")? {
        Some(uid) => uid,
        None => begin(&session)?,
    };
    answer(count_visit(&pool, &uid).await)
}

/// As the write-up's program has it: a new session's row is inserted without a look for it.
async fn visit_insert_alone(
    session: Session,
    pool: Data<Pool>,
) -> actix_web::Result<impl Responder> {
    answer(match session.get::<String>("uid")? {
        Some(uid) => count_visit(&pool, &uid).await,
        None => first_visit(&pool, &begin(&session)?).await,
    })
}

/// Gives a session a new id, which is returned.
fn begin(session: &Session) -> actix_web::Result<String> {
    let uid = hex::encode(rand::random::<[u8; 16]>());
    session.insert("uid", &uid)?;
    Ok(uid)
}

fn answer(counted: Result<Visits, Box<dyn Error>>) -> actix_web::Result<HttpResponse> {
    let visits = counted.map_err(|error| {
        eprintln!("server: {error}");
        ErrorInternalServerError("the visit cannot be counted")
    })?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .body(format!("Count is {}", visits.count)))
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
    insert(&client, uid).await
}

/// Inserts the row of the new session `uid`.
async fn first_visit(pool: &Pool, uid: &str) -> Result<Visits, Box<dyn Error>> {
    insert(&pool.get().await?, uid).await
}

async fn insert(client: &Client, uid: &str) -> Result<Visits, Box<dyn Error>> {
    let visits = Visits { count: 1 };
    let insert = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)";
    let insert = client.prepare_cached(insert).await?;
    let data = serde_json::to_string(&visits)?;
    client.execute(&insert, &[&uid, &data]).await?;
    Ok(visits)
}
