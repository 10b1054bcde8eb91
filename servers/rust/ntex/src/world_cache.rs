//! Rows of the table world, each kept for a time after it was read.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use deadpool_postgres::Pool;
use rand::RngExt;

use crate::rows::{self, World};
use crate::{database, environment};

/// How many rows the table has where they are cached.
const ROWS: i32 = 100;

/// How long a row is kept, where nothing is said of it, in milliseconds.
const TTL_MS: usize = 500;

struct Kept {
    world: World,
    until: Instant,
}

pub struct WorldCache {
    pool: Pool,
    ttl: Duration,
    kept: RwLock<HashMap<i32, Kept>>,
}

impl WorldCache {
    /// A cache of rows of the database that DATABASE_URL names, for WEBDYNO_TTL_MS.
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let ttl_ms = environment::number("WEBDYNO_TTL_MS")?.unwrap_or(TTL_MS);
        Ok(Self {
            pool: database::pool()?,
            ttl: Duration::from_millis(ttl_ms.try_into()?),
            kept: RwLock::default(),
        })
    }

    /// Draws `count` rows; those that are not kept are read, each by a query of its own.
    pub async fn read(&self, count: usize) -> Result<Vec<World>, Box<dyn Error>> {
        let ids: Vec<i32> = (0..count)
            .map(|_| rand::rng().random_range(1..=ROWS))
            .collect();
        let now = Instant::now();
        let found = self.look_up(&ids, now);
        let pairs = || ids.iter().zip(&found);
        let missing: BTreeSet<i32> = pairs()
            .filter_map(|(&id, world)| world.is_none().then_some(id))
            .collect();
        let mut fetched = HashMap::new();
        if !missing.is_empty() {
            let missing = Vec::from_iter(missing);
            for world in rows::read_each(&self.pool, &missing).await? {
                fetched.insert(world.id, world);
            }
            self.keep(&fetched, now + self.ttl);
        }
        Ok(pairs()
            .map(|(id, world)| world.unwrap_or_else(|| fetched[id]))
            .collect())
    }

    /// The row of each id, where it is kept and not too old.
    fn look_up(&self, ids: &[i32], now: Instant) -> Vec<Option<World>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let fresh = |id| kept.get(id).filter(|row| now < row.until);
        ids.iter()
            .map(|id| fresh(id).map(|row| row.world))
            .collect()
    }

    fn keep(&self, fetched: &HashMap<i32, World>, until: Instant) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        for (&id, &world) in fetched {
            kept.insert(id, Kept { world, until });
        }
    }
}
