//! When servers of known behaviour answer.

/// Nanoseconds of a millisecond.
pub(crate) const MS: u64 = 1_000_000;
/// When a server answers.
#[derive(Debug, Clone)]
pub enum Model {
    /// At once.
    Instant,
    /// 1 ms after reading, any number at once; of every 2 s since the first request the time from
    /// 1 s to 1.2 s is a standstill, in which it neither reads nor answers.
    Stall {
        /// When the first request was read.
        first: Option<u64>,
    },
    /// After a time with a heavy tail, any number at once.
    Heavy {
        /// Of the random numbers.
        state: u64,
    },
    /// One after the other.
    Queue {
        /// Nanoseconds that each takes.
        service: u64,
        /// When the last of them will be answered.
        free: u64,
    },
    /// The faster, the longer it has served.
    SlowStart {
        /// When the first request was read.
        first: Option<u64>,
    },
}

impl Model {
    /// Of all models.
    pub const NAMES: [&str; 5] = ["instant", "stall", "heavy", "queue", "slow-start"];

    /// The model of that name; a queue takes `service_us` microseconds for each request.
    pub fn of(name: &str, service_us: u64) -> Option<Model> {
        Some(match name {
            "instant" => Model::Instant,
            "stall" => Model::Stall { first: None },
            "heavy" => Model::Heavy { state: 0x9E37_79B9_7F4A_7C15 },
            "queue" => Model::Queue { service: service_us * 1000, free: 0 },
            "slow-start" => Model::SlowStart { first: None },
            _ => return None,
        })
    }

    /// When a request that is read `now` is answered.
    pub(crate) fn due(&mut self, now: u64) -> u64 {
        match self {
            Model::Instant => now,
            Model::Stall { first } => stalled(now + MS, *first.get_or_insert(now)),
            Model::Heavy { state } => now + pareto(state),
            Model::Queue { service, free } => {
                *free = now.max(*free) + *service;
                *free
            }
            Model::SlowStart { first } => {
                let age = now - *first.get_or_insert(now);
                now + MS + 19 * MS * (2000 * MS).saturating_sub(age) / (2000 * MS)
            }
        }
    }

    /// When the server next does anything, at `now` or after a stall.
    pub(crate) fn awake(&self, now: u64) -> u64 {
        match self {
            Model::Stall { first: Some(first) } => stalled(now, *first),
            _ => now,
        }
    }
}

/// `time`, or the end of the stall it falls into. Of every 2 s since the first request, the time
/// from 1 s to 1.2 s is a stall.
fn stalled(time: u64, first: u64) -> u64 {
    let phase = time.saturating_sub(first) % (2000 * MS);
    if (1000 * MS..1200 * MS).contains(&phase) { time + 1200 * MS - phase } else { time }
}

/// A time with a heavy tail, by the inverse of its distribution; `state` is a xorshift generator's.
fn pareto(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let unit = ((*state >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    ((0.5 * unit.powf(-1.0 / 1.5)).min(500.0) * MS as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_every_two_seconds_a_fifth_of_one_is_a_standstill() {
        let at = |ms: u64| stalled(5 * MS + ms * MS, 5 * MS) / MS - 5;
        assert_eq!([999, 1000, 1199, 1200, 3100].map(at), [999, 1200, 1200, 1200, 3200]);
        assert_eq!(Model::of("stall", 0).unwrap().awake(7), 7);
    }

    #[test]
    fn every_name_is_a_models() {
        assert!(Model::NAMES.iter().all(|name| Model::of(name, 1).is_some()));
        assert!(Model::of("slow", 1).is_none());
    }
}
