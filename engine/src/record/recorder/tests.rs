use super::super::timeline::TICK;
use super::*;

const START: u64 = 5_000_000_000;

fn near(histogram: &Histogram<u64>, value: u64) -> bool {
    histogram.len() == 1 && histogram.equivalent(histogram.max(), value)
}

#[test]
fn latencies_run_from_both_starts_and_lag_between_them() {
    let mut recorder = Recorder::new(0, 2);
    recorder.sent(1, 1_000_000, 0, 3_000_000, 100);
    let times =
        Times { intended: 1_000_000, sent: 3_000_000, first_byte: 8_000_000, answered: 8_000_000 };
    recorder.ok(1, times);
    assert!(near(&recorder.by_request()[1].from_intended, 7_000_000));
    assert!(recorder.by_request()[0].from_intended.is_empty());
    assert!(
        near(recorder.latency_from_send()[0], 5_000_000)
            && recorder.latency_from_send()[1].is_empty()
    );
    assert!(near(&recorder.send_lag, 2_000_000));
    assert_eq!((recorder.counts().sent, recorder.bytes_sent), (1, 100));
    assert_eq!(recorder.late(), Late { waited: 0, own: 1 });
}

#[test]
fn the_first_byte_is_told_apart_where_an_answer_comes_in_pieces() {
    let mut recorder = Recorder::new(0, 1);
    let times = Times { intended: 0, sent: 0, first_byte: 2_000_000, answered: 9_000_000 };
    recorder.ok(0, times);
    let [at_once, in_pieces] = recorder.first_byte();
    assert!(at_once.is_empty() && near(in_pieces, 2_000_000));
    assert!(near(recorder.latency_from_send()[1], 9_000_000));
}

#[test]
fn what_the_end_cut_off_is_not_measured_but_the_longest_is_known() {
    let mut recorder = Recorder::new(0, 1);
    recorder.close();
    let times = |answered| Times { intended: 1_000, answered, ..Times::default() };
    assert!(!recorder.ok(0, times(9_000)) && !recorder.ok(0, times(5_000)));
    recorder.unfinished(0, 1_000, 3_000);
    assert_eq!((recorder.counts().unfinished, recorder.counts().ok), (3, 0));
    assert_eq!(recorder.longest_unfinished, 8_000);
    assert!(recorder.by_request()[0].from_intended.is_empty());
}

#[test]
fn answers_that_were_waited_for_are_told_apart() {
    let mut recorder = Recorder::new(0, 1);
    recorder.ok(0, Times::default());
    assert_eq!(recorder.ok_after_end(), 0);
    recorder.drain();
    assert!(recorder.ok(0, Times::default()) && recorder.ok(0, Times::default()));
    assert_eq!((recorder.ok_after_end(), recorder.counts().ok), (2, 3));
}

#[test]
fn what_was_offered_is_told_by_the_schedule_alone() {
    let timeline = Mutex::new(Timeline::new(1));
    let mut recorder = Recorder::new(0, 1);
    recorder.start(START);
    recorder.sent(0, START, START, START, 1);
    recorder.refused();
    recorder.roll(START + TICK, &timeline, |_| 2);
    recorder.finish(&timeline, 1);
    // One request has been lost on the way: the counts must not hide it.
    let counts = recorder.counts();
    assert_eq!((counts.offered, counts.sent + counts.refused + counts.not_sent), (3, 2));
}
