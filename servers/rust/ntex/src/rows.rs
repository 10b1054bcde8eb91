//! What `queries`, `updates`, `fortunes` and `cached` do in the database.

use std::collections::BTreeSet;
use std::error::Error;

use deadpool_postgres::Pool;
use futures_util::future::try_join_all;
use rand::RngExt;
use serde::Serialize;

const ROWS: i32 = 10_000;
const MOST: usize = 500;

const READ: &str = "SELECT id, randomnumber FROM world WHERE id = $1";
const LOCK: &str = "SELECT quantity FROM stock WHERE id = $1 FOR UPDATE";
const WRITE: &str = "UPDATE stock SET quantity = counted.quantity \
    FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id";

/// A row of the table world.
#[derive(Clone, Copy, Serialize)]
pub struct World {
    pub id: i32,
    #[serde(rename = "randomNumber")]
    random_number: i32,
}

/// A row of the table stock.
#[derive(Serialize)]
pub struct Item {
    id: i32,
    quantity: i32,
}

/// A row of the table fortune.
pub struct Fortune {
    pub id: i32,
    pub message: String,
}

/// How many rows `text` asks for: 1 to 500.
pub fn clamped(text: Option<&str>) -> usize {
    match text {
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().unwrap_or(MOST).clamp(1, MOST)
        }
        _ => 1,
    }
}

/// `count` rows of the table world, each by a query of its own.
pub async fn read_worlds(pool: &Pool, count: usize) -> Result<Vec<World>, Box<dyn Error>> {
    let ids: Vec<i32> = (0..count).map(|_| draw_id()).collect();
    read_each(pool, &ids).await
}

/// The row of the table world of each id, by a query of its own; they are sent in one go.
pub async fn read_each(pool: &Pool, ids: &[i32]) -> Result<Vec<World>, Box<dyn Error>> {
    let client = pool.get().await?;
    let read = client.prepare_cached(READ).await?;
    let rows = try_join_all(
        ids.iter()
            .map(async |id| client.query_one(&read, &[id]).await),
    )
    .await?;
    let world = |row: &tokio_postgres::Row| {
        Ok(World {
            id: row.try_get(0)?,
            random_number: row.try_get(1)?,
        })
    };
    rows.iter().map(world).collect()
}

/// Counts `count` different rows of the table stock up by one, in a transaction.
pub async fn count_items(pool: &Pool, count: usize) -> Result<Vec<Item>, Box<dyn Error>> {
    // Rows that are always locked in the same order cannot make two transactions wait for each other.
    let ids = draw_ids(count);
    let mut client = pool.get().await?;
    let transaction = client.transaction().await?;
    let lock = transaction.prepare_cached(LOCK).await?;
    let mut quantities: Vec<i32> = Vec::with_capacity(count);
    for id in &ids {
        let held: i32 = transaction.query_one(&lock, &[id]).await?.try_get(0)?;
        quantities.push(held + 1);
    }
    let write = transaction.prepare_cached(WRITE).await?;
    transaction.execute(&write, &[&ids, &quantities]).await?;
    transaction.commit().await?;
    let items = ids.into_iter().zip(quantities);
    Ok(items.map(|(id, quantity)| Item { id, quantity }).collect())
}

/// The rows of the table fortune and the one added, sorted by their messages.
pub async fn read_fortunes(pool: &Pool, added: String) -> Result<Vec<Fortune>, Box<dyn Error>> {
    let client = pool.get().await?;
    let select = client
        .prepare_cached("SELECT id, message FROM fortune")
        .await?;
    let mut fortunes = vec![Fortune {
        id: 0,
        message: added,
    }];
    for row in client.query(&select, &[]).await? {
        fortunes.push(Fortune {
            id: row.try_get(0)?,
            message: row.try_get(1)?,
        });
    }
    fortunes.sort_by(|a, b| a.message.cmp(&b.message));
    Ok(fortunes)
}

fn draw_id() -> i32 {
    rand::rng().random_range(1..=ROWS)
}

/// `count` different ids, in their order.
fn draw_ids(count: usize) -> Vec<i32> {
    let mut drawn = BTreeSet::new();
    while drawn.len() < count {
        drawn.insert(draw_id());
    }
    drawn.into_iter().collect()
}
