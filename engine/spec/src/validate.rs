//! Reads a specification and refuses, in one line, what cannot be meant.

use super::{Part, Phase, Shape, Spec};

const MOST_CONNECTIONS: usize = 1_000_000;
const MOST_STREAMS: usize = 10_000;
const MOST_THREADS: usize = 1024;
const MOST_PARTS: usize = 1024;
/// Each request that is due is looked at, if only to see that it is too late to be sent: at this rate
/// that takes about a quarter of a core. At ten times as much a load would outlast its schedule.
const HIGHEST_RATE: f64 = 1e7;
/// A day: longer is a typing error, and keeps nanoseconds far from overflowing.
const LONGEST_S: f64 = 86_400.0;
/// A week: of all phases together, for the same reasons.
const LONGEST_OF_PHASES_S: f64 = 7.0 * LONGEST_S;

impl Spec {
    /// Reads and validates the JSON of a specification.
    ///
    /// # Errors
    /// One line that names the key and the remedy.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        let spec: Spec = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = error.path().to_string();
            let inner = error.into_inner();
            // What is wrong before any key was read has no place of its own.
            if path == "." || path == "?" {
                format!("load specification: {inner}")
            } else {
                format!("load specification: {path}: {inner}")
            }
        })?;
        json.end().map_err(|error| format!("load specification: {error}"))?;
        spec.validate()?;
        Ok(spec)
    }

    fn validate(&self) -> Result<(), String> {
        whole("threads", self.threads, MOST_THREADS)?;
        seconds("timeout_s", self.timeout_s)?;
        if self.requests.is_empty() {
            return Err("requests: none given; name at least one request".to_owned());
        }
        if self.visits == Some(0) {
            return Err("visits: 0; give at least 1, or leave it out".to_owned());
        }
        if self.target.host.is_empty() {
            return Err("target.host: empty; give a host name or address".to_owned());
        }
        if self.target.port == 0 {
            return Err("target.port: 0 is not a port; give the server's port".to_owned());
        }
        whole("http2.streams", self.streams(), MOST_STREAMS)?;
        if self.users() > MOST_CONNECTIONS {
            return Err(format!(
                "http2.streams: {} are {} users in all; give at most {MOST_CONNECTIONS}",
                self.streams(),
                self.users()
            ));
        }
        match &self.load {
            Shape::Closed { connections, duration_s } => {
                whole("load.connections", *connections, MOST_CONNECTIONS)?;
                seconds("load.duration_s", *duration_s)?;
            }
            Shape::Open { phases, connections, .. } => {
                whole("load.connections", *connections, MOST_CONNECTIONS)?;
                validate_phases(phases)?;
            }
            Shape::Iterations { users, iterations } => {
                whole("load.users", *users, MOST_CONNECTIONS)?;
                if *iterations == 0 {
                    return Err("load.iterations: 0; give at least 1".to_owned());
                }
            }
        }
        self.validate_websocket()?;
        self.validate_part()
    }

    fn validate_part(&self) -> Result<(), String> {
        let Part { index, of } = self.part();
        whole("part.of", of, MOST_PARTS)?;
        if index >= of {
            return Err(format!("part.index: {index}; give 0 to {}", of - 1));
        }
        if of > 1 && self.requests.iter().any(|request| request.distinct.is_some()) {
            return Err("part: distinct answers need a single engine; leave one out".to_owned());
        }
        let connections = self.connections_in_all();
        if connections < of {
            return Err(format!(
                "part.of: {of} parts, but {connections} connections, and each part needs one; add \
                 connections or take fewer parts"
            ));
        }
        Ok(())
    }
}

fn validate_phases(phases: &[Phase]) -> Result<(), String> {
    if phases.is_empty() {
        return Err("load.phases: none given; name at least one phase".to_owned());
    }
    for (index, phase) in phases.iter().enumerate() {
        seconds(&format!("load.phases[{index}].duration_s"), phase.duration_s)?;
        rate(&format!("load.phases[{index}].rate"), phase.rate)?;
        if let Some(to_rate) = phase.to_rate {
            rate(&format!("load.phases[{index}].to_rate"), to_rate)?;
        }
    }
    let lasting_s: f64 = phases.iter().map(|phase| phase.duration_s).sum();
    if lasting_s > LONGEST_OF_PHASES_S {
        return Err(format!(
            "load.phases: {lasting_s} seconds in all; give at most {LONGEST_OF_PHASES_S}"
        ));
    }
    let total: f64 = phases.iter().map(Phase::expected_count).sum();
    if total < 1.0 {
        return Err("load.phases: less than one request in all; raise a rate".to_owned());
    }
    Ok(())
}

fn whole(key: &str, value: usize, most: usize) -> Result<(), String> {
    if (1..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!("{key}: {value}; give 1 to {most}"))
    }
}

fn seconds(key: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && (0.001..=LONGEST_S).contains(&value) {
        Ok(())
    } else {
        Err(format!("{key}: {value}; give 0.001 to {LONGEST_S} seconds"))
    }
}

fn rate(key: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && (0.0..=HIGHEST_RATE).contains(&value) {
        Ok(())
    } else {
        Err(format!("{key}: {value}; give 0 to {HIGHEST_RATE} requests per second"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn minimal() -> Value {
        json!({
            "target": {"host": "127.0.0.1", "port": 8080},
            "load": {"kind": "closed", "connections": 4, "duration_s": 1.0},
            "requests": [{"name": "hello", "path": "/"}],
        })
    }

    fn refused(pointer: &str, value: Value) -> String {
        let mut spec = minimal();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = spec.pointer_mut(parent).unwrap();
        parent[key] = value;
        Spec::parse(&spec.to_string()).expect_err(pointer)
    }

    #[test]
    fn defaults_fill_what_is_left_out() {
        let spec = Spec::parse(&minimal().to_string()).unwrap();
        assert_eq!((spec.threads, spec.timeout_s, spec.seed), (1, 10.0, 1));
        assert_eq!(spec.requests[0].method, "GET");
        assert_eq!(spec.target.host_header(), "127.0.0.1:8080");
        assert!(!spec.allow_remote && spec.audit.samples == 0);
    }

    #[test]
    fn what_is_shown_depends_on_the_seed_without_telling_it() {
        let shown = |seed: u64| {
            let mut spec = minimal();
            spec["seed"] = json!(seed);
            Spec::parse(&spec.to_string()).unwrap().shown_seed()
        };
        assert_eq!(shown(1), shown(1));
        let all: std::collections::BTreeSet<u64> = (0..1000).map(shown).collect();
        assert_eq!(all.len(), 1000);
        // Nothing that begins with small seeds begins with small ones that are shown.
        assert!(all.iter().all(|&seed| seed > 1 << 32));
    }

    #[test]
    fn every_refusal_is_one_line_that_names_the_key() {
        let open = |phases: Value| json!({"kind": "open", "connections": 1, "phases": phases});
        let day = json!({"rate": 1, "duration_s": 86_400});
        let cases = [
            ("/surprise", json!(1), "surprise"),
            ("/threads", json!(0), "threads"),
            ("/timeout_s", json!(-1), "timeout_s"),
            ("/requests", json!([]), "requests"),
            ("/target/port", json!(70_000), "port"),
            ("/target/host", json!(""), "host"),
            ("/load/connections", json!(0), "connections"),
            ("/load/connections", json!("many"), "load"),
            ("/http2", json!({"streams": 0}), "http2.streams"),
            ("/http2", json!({"stream": 1}), "stream"),
            ("/target/tls", json!({"cacert": "a.pem"}), "cacert"),
            ("/load/duration_s", json!(0), "duration_s"),
            ("/part", json!({"index": 2, "of": 2}), "part.index"),
            ("/part", json!({"index": 0, "of": 0}), "part.of"),
            ("/part", json!({"index": 0, "of": 5}), "part.of"),
            ("/part", json!({"index": 0, "of": 5}), "; add connections or take fewer parts"),
            ("/load/kind", json!("burst"), "burst"),
            ("/load/users", json!(1), "users"),
            ("/load", open(json!([])), "phases"),
            ("/load", open(json!([{"rate": -1, "duration_s": 1}])), "phases[0].rate"),
            ("/load", open(json!([{"rate": 1.1e7, "duration_s": 1}])), "give 0 to 10000000 req"),
            ("/load", open(json!([{"rate": 0.1, "duration_s": 1}])), "phases"),
            ("/load", open(json!(vec![day; 8])), "load.phases: 691200 seconds in all"),
            ("/load", json!({"kind": "iterations", "users": 1, "iterations": 0}), "iterations"),
            ("/requests/0/checks", json!([{"kind": "statu"}]), "statu"),
        ];
        for (pointer, value, named) in cases {
            let line = refused(pointer, value);
            assert!(line.contains(named) && !line.contains('\n'), "{pointer}: {line}");
        }
    }

    #[test]
    fn text_that_is_not_json_is_refused() {
        let line = Spec::parse("{").unwrap_err();
        assert!(line.starts_with("load specification:"), "{line}");
        assert!(Spec::parse("{} trailing").is_err());
    }

    #[test]
    fn whether_answers_are_distinct_is_not_told_in_parts() {
        let mut spec = minimal();
        spec["requests"][0]["distinct"] = json!({"after": [":"], "any_order": false});
        spec["part"] = json!({"index": 0, "of": 1});
        assert!(Spec::parse(&spec.to_string()).is_ok());
        spec["part"] = json!({"index": 0, "of": 2});
        let line = Spec::parse(&spec.to_string()).unwrap_err();
        assert!(line.starts_with("part: distinct answers"), "{line}");
    }

    #[test]
    fn there_are_no_more_threads_than_connections() {
        let mut spec = Spec::parse(&minimal().to_string()).unwrap();
        spec.threads = 16;
        assert_eq!(spec.threads_used(), 4);
    }
}
