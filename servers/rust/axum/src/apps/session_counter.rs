use std::error::Error;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use tower_sessions::cookie::Key;
use tower_sessions::cookie::SameSite;
use tower_sessions::{Session, SessionManagerLayer};

use super::failed;
use crate::table_store::TableStore;
use crate::{database, environment};

pub fn router() -> Result<Router, Box<dyn Error>> {
    let key = Key::try_from(environment::text("WEBDYNO_SECRET")?.as_bytes())?;
    let sessions = SessionManagerLayer::new(TableStore::new(database::pool()?))
        .with_same_site(SameSite::Lax)
        .with_secure(false)
        .with_signed(key);
    Ok(Router::new().route("/", get(visit)).layer(sessions))
}

async fn visit(session: Session) -> Result<String, StatusCode> {
    let held: Option<u64> = session.get("count").await.map_err(failed)?;
    let count = held.unwrap_or(0) + 1;
    session.insert("count", count).await.map_err(failed)?;
    Ok(format!("Count is {count}"))
}
