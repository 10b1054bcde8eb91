//! How evenly a server spread its answers over the connections of a closed load.

use serde::Serialize;

/// Of a closed load each connection asks again as soon as it is answered, so a server that serves
/// some before others gives them more answers, and the latencies are mostly theirs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The load's connections; of HTTP/2, their streams.
    pub connections: u64,
    /// Right answers for each, on average.
    pub answers_each: f64,
    /// Connections that got less than a tenth of that.
    pub starved: u64,
    /// Jain's fairness index (Jain, Chiu and Hawe 1984, DEC-TR-301): 1 where all got as many
    /// answers, k/n where k of n got all.
    pub evenness: f64,
}

impl Spread {
    /// Of connections that got so many right answers each; `None` where there were no answers.
    pub fn of(answers: &[u64]) -> Option<Spread> {
        let connections = answers.len() as f64;
        let total: f64 = answers.iter().map(|&each| each as f64).sum();
        let squares: f64 = answers.iter().map(|&each| (each as f64).powi(2)).sum();
        let answers_each = total / connections;
        (total > 0.0).then(|| Spread {
            connections: answers.len() as u64,
            answers_each,
            starved: answers.iter().filter(|&&each| each as f64 * 10.0 < answers_each).count()
                as u64,
            evenness: total * total / (connections * squares),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn connections_that_are_served_alike_are_even() {
        let spread = Spread::of(&[50; 8]).unwrap();
        assert_eq!((spread.connections, spread.answers_each), (8, 50.0));
        assert_eq!((spread.starved, spread.evenness), (0, 1.0));
    }

    #[test]
    fn who_gets_less_than_a_tenth_is_starved() {
        let spread = Spread::of(&[400, 400, 400, 400, 0, 0, 3, 20]).unwrap();
        assert_eq!(spread.starved, 4);
        assert!((spread.evenness - 0.514).abs() < 0.001, "{spread:?}");
        assert_eq!(Spread::of(&[100, 11, 0]).unwrap().starved, 1);
    }

    #[test]
    fn without_answers_there_is_nothing_to_spread() {
        assert_eq!(Spread::of(&[0, 0]), None);
        assert_eq!(Spread::of(&[]), None);
    }
}
