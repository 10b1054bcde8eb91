//! What is said of a load while it runs and when it has ended, as JSON.

mod by_request;
mod distribution;
mod errors;
mod generator;
mod layers;
mod merging;
mod progress;
mod samples;
mod spread;

use serde::Serialize;

use crate::check::changes::ChangesReport;
use crate::check::distinct::{Distinct, distinct};
use crate::plan::spec::{RequestSpec, Spec};
use crate::record::counts::Counts;
use crate::record::details::Details;
use crate::record::histogram::{encoded, histogram};
use crate::record::layers::Layers;
use crate::record::thread::ThreadRecord;
use crate::record::timeline::Second;
use crate::record::websocket::WebSocketRecord;

pub use by_request::RequestReport;
use by_request::by_request;
pub use distribution::{Histograms, Quantiles, WithLost};
pub use errors::ErrorDetail;
pub use generator::Generator;
pub use layers::{Http2Report, TlsReport};
pub use merging::Merging;
pub use progress::{LoadPhase, Progress};
pub use samples::AuditedAnswer;
use samples::samples;
use spread::Spread;

/// When a load started.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// In seconds since 1970.
    pub unix_s: f64,
    /// How long after the agreed instant, in microseconds; `None` where none was agreed.
    pub late_us: Option<f64>,
}

/// What a load yielded.
#[derive(Debug, Clone, Serialize)]
pub struct LoadResult {
    /// When it started, in seconds since 1970.
    pub started_unix_s: f64,
    /// How long after the agreed instant it began, in microseconds; absent where none was agreed.
    pub start_late_us: Option<f64>,
    /// How long the load was on.
    pub elapsed_s: f64,
    /// Right answers per second of it.
    pub throughput_rps: f64,
    /// Right answers of an open load that came after it; `throughput_rps` counts them.
    pub ok_after_end: u64,
    /// Whether it was ended by request.
    pub stopped_early: bool,
    /// Requests by what became of them.
    pub counts: Counts,
    /// Latency of right answers from the intended send.
    pub latency_us: Quantiles,
    /// How long the longest unfinished request took, as far as it was awaited, in microseconds;
    /// absent where none was unfinished.
    pub longest_unfinished_us: Option<f64>,
    /// Of an open load, the same with the requests that got no right answer.
    pub latency_with_lost_us: Option<WithLost>,
    /// Latency of right answers from the actual send.
    pub latency_from_send_us: Quantiles,
    /// How long after the actual send the first byte of right answers came.
    pub first_byte_us: Quantiles,
    /// How long connections took to open, with all that TLS, HTTP/2 and WebSocket need, those before
    /// the start included.
    pub connect_us: Quantiles,
    /// How long after the intended time requests were sent.
    pub send_lag_us: Quantiles,
    /// The full distributions.
    pub histograms: Histograms,
    /// A row a second.
    pub series: Vec<Second>,
    /// The requests of each name.
    pub by_request: Vec<RequestReport>,
    /// Why requests failed.
    pub errors_detail: Vec<ErrorDetail>,
    /// Bytes of HTTP and WebSocket received from the server before the load was over; what TLS adds is
    /// not counted.
    pub bytes_received: u64,
    /// Bytes of them sent to it.
    pub bytes_sent: u64,
    /// Connections that were opened, those before the start included.
    pub connections_opened: u64,
    /// Connections that the server closed while no request was under way on them.
    pub connections_closed_idle: u64,
    /// Requests over HTTP/1.1, of those that were reset, whose connection had brought answers before,
    /// and ended before a byte of theirs.
    pub reset_kept_alive: u64,
    /// Connections that were given up because bytes came on them that no request had asked for.
    pub connections_unsolicited: u64,
    /// What was spoken: `HTTP/1.1`, `HTTP/2` or `WebSocket`.
    pub protocol: &'static str,
    /// Of TLS, where it was spoken.
    pub tls: Option<TlsReport>,
    /// Of HTTP/2, where it was spoken.
    pub http2: Option<Http2Report>,
    /// Of WebSocket, where it was spoken.
    pub websocket: Option<WebSocketRecord>,
    /// Of a closed load, how its answers were spread over the connections.
    pub spread: Option<Spread>,
    /// What the load itself cost.
    pub generator: Generator,
    /// How distinct the answers were to the requests of which no two may be answered alike.
    pub distinct: Vec<DistinctReport>,
    /// Changes of the server's state during the load.
    pub changes: ChangesReport,
    /// Of a part of a load, what merging the parts needs beside.
    pub merging: Option<Merging>,
    /// Answers kept in full.
    pub samples: Vec<AuditedAnswer>,
}

/// How distinct the answers to a request were.
#[derive(Debug, Clone, Serialize)]
pub struct DistinctReport {
    /// The request's name.
    pub request: String,
    /// What was found.
    #[serde(flatten)]
    pub found: Distinct,
}

impl LoadResult {
    /// Puts the threads' records together.
    pub fn new(
        spec: &Spec,
        start: Start,
        records: &[ThreadRecord],
        series: Vec<Second>,
        changes: ChangesReport,
    ) -> LoadResult {
        let mut counts = Counts::default();
        let mut details = Details::default();
        let [mut intended, mut from_send, mut lag] = [histogram(), histogram(), histogram()];
        let [mut first_byte, mut connects] = [histogram(), histogram()];
        let (mut closed_idle, mut reset_kept_alive, mut unsolicited) = (0, 0, 0);
        let (mut received, mut sent, mut opened) = (0, 0, 0);
        for ThreadRecord { recorder, connections_opened, .. } in records {
            opened += connections_opened;
            counts += recorder.counts();
            details.merge(recorder.details.clone());
            received += recorder.bytes_received;
            sent += recorder.bytes_sent;
            closed_idle += recorder.closed_idle;
            reset_kept_alive += recorder.reset_kept_alive;
            unsolicited += recorder.unsolicited;
            for of_request in recorder.by_request() {
                intended.add(&of_request.from_intended).expect("the same bounds");
            }
            for part in recorder.latency_from_send() {
                from_send.add(part).expect("the same bounds");
            }
            for part in recorder.first_byte() {
                first_byte.add(part).expect("the same bounds");
            }
            lag.add(&recorder.send_lag).expect("the same bounds");
            connects.add(&recorder.connects).expect("the same bounds");
        }
        let Layers { tls, http2, websocket, connects: of_links } = layers(records);
        if let Some(http2) = &http2 {
            // The worker counts streams, and requests as HTTP/1.1 would have sent them.
            (opened, sent) = (http2.connections, http2.bytes_sent);
            closed_idle += http2.closed_idle;
        }
        sent += websocket.map_or(0, |websocket| websocket.bytes_beside);
        let connects = of_links.unwrap_or(connects);
        let by_request = by_request(spec, records);
        let merging = spec
            .part
            .map(|_| Merging::new((&first_byte, &connects), tls.as_ref(), &by_request, &series));
        let lost = counts.failed() + counts.not_sent;
        let is_open = spec.load.is_open();
        let longest = records.iter().map(|record| record.recorder.longest_unfinished).max();
        let elapsed = records.iter().map(|record| record.elapsed).max();
        let elapsed_s = elapsed.unwrap_or(0) as f64 / 1e9;
        LoadResult {
            started_unix_s: start.unix_s,
            start_late_us: start.late_us,
            elapsed_s,
            throughput_rps: ratio(counts.ok as f64, elapsed_s),
            // Iterations last until their last answer.
            ok_after_end: if is_open {
                records.iter().map(|record| record.recorder.ok_after_end()).sum()
            } else {
                0
            },
            stopped_early: records.iter().any(|record| record.stopped_early),
            latency_us: Quantiles::of(&intended),
            longest_unfinished_us: longest
                .filter(|_| counts.unfinished > 0)
                .map(|longest| longest as f64 / 1e3),
            latency_with_lost_us: is_open.then(|| WithLost::of(&intended, lost)),
            first_byte_us: Quantiles::of(&first_byte),
            connect_us: Quantiles::of(&connects),
            latency_from_send_us: Quantiles::of(&from_send),
            send_lag_us: Quantiles::of(&lag),
            histograms: Histograms {
                from_intended: encoded(&intended),
                from_send: encoded(&from_send),
                send_lag: encoded(&lag),
            },
            series,
            by_request,
            merging,
            errors_detail: ErrorDetail::of(spec, &details),
            bytes_received: received,
            bytes_sent: sent,
            connections_opened: opened,
            connections_closed_idle: closed_idle,
            reset_kept_alive,
            connections_unsolicited: unsolicited,
            protocol: spoken(http2.is_some(), websocket.is_some()),
            tls: tls.as_ref().map(TlsReport::of),
            http2: http2.map(|record| Http2Report { streams: spec.streams(), record }),
            websocket,
            spread: spread(spec, records),
            generator: Generator::of(spec, records, counts.sent),
            distinct: distinct_reports(spec, records),
            changes,
            samples: samples(spec, records),
            counts,
        }
    }
}

fn spoken(http2: bool, websocket: bool) -> &'static str {
    match (http2, websocket) {
        (true, _) => "HTTP/2",
        (false, true) => "WebSocket",
        (false, false) => "HTTP/1.1",
    }
}

/// What the threads' layers recorded, together.
fn layers(records: &[ThreadRecord]) -> Layers {
    let mut all = Layers::default();
    records.iter().for_each(|record| all.add(&record.layers));
    all
}

fn spread(spec: &Spec, records: &[ThreadRecord]) -> Option<Spread> {
    let answers = || records.iter().flat_map(|record| record.answers.iter().copied());
    if spec.load.is_closed() { Spread::of(&answers().collect::<Vec<u64>>()) } else { None }
}

fn ratio(value: f64, by: f64) -> f64 {
    if by > 0.0 { value / by } else { 0.0 }
}

fn distinct_reports(spec: &Spec, records: &[ThreadRecord]) -> Vec<DistinctReport> {
    let requests = spec.requests.iter().enumerate();
    let report = |(index, request): (usize, &RequestSpec)| {
        let found = distinct(records.iter().map(|record| &record.seen), index)?;
        Some(DistinctReport { request: request.name.clone(), found })
    };
    requests.filter_map(report).collect()
}
