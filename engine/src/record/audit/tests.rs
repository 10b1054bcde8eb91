use super::*;

fn sample(number: u64) -> Sample {
    Sample {
        request: 0,
        variables: Vec::new(),
        status: 200,
        headers: Vec::new(),
        body: Vec::new(),
        pieces: 1,
        at: number,
        sent: 0,
        answered_by: 0,
    }
}

fn kept(reservoir: Reservoir) -> Vec<u64> {
    let mut kept: Vec<u64> = reservoir.into_samples().iter().map(|sample| sample.at).collect();
    kept.sort_unstable();
    kept
}

/// An answer that comes at once.
fn answered(reservoir: &mut Reservoir, number: u64) {
    if let Some(ticket) = reservoir.choose() {
        reservoir.keep(ticket, sample(number));
    }
}

#[test]
fn nothing_is_kept_when_nothing_is_asked_for() {
    let mut reservoir = Reservoir::new(0, Random::new(1, 0));
    assert_eq!(reservoir.choose(), None);
    assert_eq!(reservoir.into_samples(), []);
}

#[test]
fn few_answers_are_all_kept() {
    let mut reservoir = Reservoir::new(10, Random::new(1, 0));
    (0..7).for_each(|number| answered(&mut reservoir, number));
    assert_eq!(kept(reservoir), [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn every_answer_is_as_likely_to_be_kept() {
    // 400 reservoirs of 50 from 1000: each tenth of the answers holds 2000 of 20,000 samples,
    // with a standard deviation of about 41.
    let mut tenths = [0u32; 10];
    for seed in 0..400 {
        let mut reservoir = Reservoir::new(50, Random::new(seed, 0));
        (0..1000).for_each(|number| answered(&mut reservoir, number));
        for at in kept(reservoir) {
            tenths[at as usize / 100] += 1;
        }
    }
    assert_eq!(tenths.iter().sum::<u32>(), 20_000);
    for count in tenths {
        assert!((1800..2200).contains(&count), "{tenths:?}");
    }
}

#[test]
fn which_answers_are_kept_does_not_depend_on_when_they_are_whole() {
    for seed in 0..50 {
        let mut at_once = Reservoir::new(20, Random::new(seed, 0));
        (0..1000).for_each(|number| answered(&mut at_once, number));
        let mut late = Reservoir::new(20, Random::new(seed, 0));
        let tickets: Vec<_> = (0..1000).filter_map(|at| Some((at, late.choose()?))).collect();
        tickets.into_iter().rev().for_each(|(at, ticket)| late.keep(ticket, sample(at)));
        assert_eq!(kept(late), kept(at_once));
    }
}

#[test]
fn an_answer_that_turns_out_wrong_passes_its_ticket_on() {
    // While places are free, and after.
    for size in [3, 1] {
        let mut reservoir = Reservoir::new(size, Random::new(1, 0));
        let first = reservoir.choose().unwrap();
        reservoir.failed(Some(first));
        answered(&mut reservoir, 7);
        assert_eq!(kept(reservoir), [7]);
    }
    // 400 reservoirs, with every second answer wrong: the right ones fill them, and are alike.
    let mut halves = [0u32; 2];
    for seed in 0..400 {
        let mut reservoir = Reservoir::new(50, Random::new(seed, 0));
        for number in 0..1000 {
            let ticket = reservoir.choose();
            if number % 2 == 0 {
                reservoir.failed(ticket);
            } else if let Some(ticket) = ticket {
                reservoir.keep(ticket, sample(number));
            }
        }
        let kept = kept(reservoir);
        assert!(kept.len() == 50 && kept.iter().all(|at| at % 2 == 1), "{kept:?}");
        kept.iter().for_each(|at| halves[*at as usize / 500] += 1);
    }
    assert!(halves.iter().all(|count| (9_500..10_500).contains(count)), "{halves:?}");
}

#[test]
fn an_answer_that_never_ends_leaves_its_place_to_others() {
    let mut reservoir = Reservoir::new(2, Random::new(1, 0));
    let never: Vec<_> = (0..2).map(|_| reservoir.choose().unwrap()).collect();
    (0..200).for_each(|number| answered(&mut reservoir, number));
    assert_eq!(never.len(), 2);
    assert_eq!(reservoir.into_samples().len(), 2);
}
