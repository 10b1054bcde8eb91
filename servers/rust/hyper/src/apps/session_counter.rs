use std::error::Error;

use cookie::{Cookie, CookieJar, Key, SameSite};
use deadpool_postgres::Pool;
use hyper::body::Incoming;
use hyper::header::{COOKIE, SET_COOKIE};
use hyper::{Request, StatusCode};
use serde::{Deserialize, Serialize};

use crate::answer::{self, Answer};
use crate::{database, environment};

/// The name of the cookie that holds a session's id, signed.
const NAME: &str = "session";

pub struct Counter {
    pool: Pool,
    key: Key,
}

#[derive(Default, Deserialize, Serialize)]
struct Visits {
    count: u64,
}

impl Counter {
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let key = Key::try_from(environment::text("WEBDYNO_SECRET")?.as_bytes())?;
        let pool = database::pool()?;
        Ok(Self { pool, key })
    }

    /// Counts a visit of the session that the request's cookie names.
    pub async fn visit(&self, request: &Request<Incoming>) -> Answer {
        let mut jar = jar(request);
        let known = jar.signed(&self.key).get(NAME);
        let uid = match known {
            Some(cookie) => cookie.value().to_owned(),
            None => self.begin(&mut jar),
        };
        let counted = self.count(&uid).await;
        answer::or_error(counted.and_then(|Visits { count }| {
            let mut answer = answer::text(StatusCode::OK, format!("Count is {count}"));
            for cookie in jar.delta() {
                let value = cookie.encoded().to_string().try_into()?;
                answer.headers_mut().append(SET_COOKIE, value);
            }
            Ok(answer)
        }))
    }

    /// Signs a cookie with a new id, which is returned.
    fn begin(&self, jar: &mut CookieJar) -> String {
        let uid = hex::encode(rand::random::<[u8; 16]>());
        let cookie = Cookie::build((NAME, uid.clone()))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax);
        jar.signed_mut(&self.key).add(cookie);
        uid
    }

    /// Counts a visit in the row of the session `uid`, which the first visit inserts.
    async fn count(&self, uid: &str) -> Result<Visits, Box<dyn Error>> {
        let client = self.pool.get().await?;
        let select = "SELECT data FROM usersessions WHERE uid = $1";
        let select = client.prepare_cached(select).await?;
        let row = client.query_opt(&select, &[&uid]).await?;
        let mut visits: Visits = match &row {
            Some(row) => serde_json::from_str(row.try_get(0)?)?,
            None => Visits::default(),
        };
        visits.count += 1;
        let write = match row {
            Some(_) => "UPDATE usersessions SET data = $2 WHERE uid = $1",
            None => "INSERT INTO usersessions (uid, data) VALUES ($1, $2)",
        };
        let write = client.prepare_cached(write).await?;
        let data = serde_json::to_string(&visits)?;
        client.execute(&write, &[&uid, &data]).await?;
        Ok(visits)
    }
}

/// The cookies of a request; what cannot be one is left out.
fn jar(request: &Request<Incoming>) -> CookieJar {
    let mut jar = CookieJar::new();
    for header in request.headers().get_all(COOKIE) {
        let text = header.to_str().unwrap_or_default().to_owned();
        for cookie in Cookie::split_parse_encoded(text).flatten() {
            jar.add_original(cookie);
        }
    }
    jar
}
