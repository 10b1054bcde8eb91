"""How far a run can be trusted: its cautions, its control and its resolution."""

from __future__ import annotations

from support.grouped_verdict import verdict, with_verdicts
from support.synthetic_run import failing_aa
from webdyno.report.formats.html import render_html
from webdyno.report.text import cautions, facts
from webdyno.store.records import RunRecord
from webdyno.store.verdicts import VerdictRecord


def test_a_disturbed_machine_is_told(run: RunRecord) -> None:
    noisy = [
        t.model_copy(update={"bottleneck": "machine-noise"}) if t.index % 4 == 0 else t
        for t in run.trials
    ]
    text = " ".join(cautions.cautions(run.model_copy(update={"trials": noisy})))
    assert "took CPU time during 12 of 48 trials. End those programs or lift the quota" in text
    assert "more blocks (--budget, --blocks)" in text


def test_a_control_that_could_hide_much_is_not_called_good(run: RunRecord) -> None:
    held = run.verdicts[0].model_copy(deep=True)
    assert held.control is not None
    held.control = held.control.model_copy(
        update={"low": 0.1, "high": 29.0, "outcome": "not separated"}
    )
    wide = run.model_copy(update={"verdicts": [run.verdicts[1], held]})
    fact = next(f for f in facts.sureness(wide) if f.label == "A/A control")
    assert (fact.value, fact.bad) == ("1.00x [0.10, 29.0]", False)
    assert "could hide" in fact.note


def test_the_worst_of_several_controls_is_shown(run: RunRecord) -> None:
    def ending(low: float, high: float) -> VerdictRecord:
        held = run.verdicts[0].model_copy(deep=True)
        assert held.control is not None
        held.control = held.control.model_copy(
            update={"low": low, "high": high, "outcome": "not separated"}
        )
        return held

    verdicts = [ending(0.94, 1.07), ending(0.78, 1.01), ending(0.9, 1.1)]
    found = facts.sureness(run.model_copy(update={"verdicts": verdicts}))
    assert next(f for f in found if f.label == "A/A control").value.endswith("[0.78, 1.01]")
    page = render_html(run.model_copy(update={"verdicts": verdicts}))
    assert "no difference, as expected" not in page


def test_a_resolution_is_that_of_the_finest_and_of_the_coarsest_verdict(run: RunRecord) -> None:
    def found(*resolutions: float) -> facts.Fact:
        verdicts = [
            run.verdicts[0].model_copy(update={"resolution": one, "metric": metric})
            for one, metric in zip(resolutions, ("throughput_rps", "p99_us"), strict=False)
        ]
        held = facts.sureness(run.model_copy(update={"verdicts": verdicts}))
        return next(fact for fact in held if fact.label == "Resolution")

    both = found(0.258, 0.066)
    assert both.value == "6.6% to 25.8%"
    assert both.note.endswith("; it is coarsest in json by throughput")
    assert found(0.066).value == "6.6%"
    assert found(0.066, 12.0).value == "6.6% to unknown"
    assert found(12.0, 13.0).value == "unknown"


def test_a_failed_control_is_the_first_caution(run: RunRecord) -> None:
    assert not any("A/A" in text for text in cautions.cautions(run))
    bad = failing_aa(run)
    assert "A/A control failed in json" in cautions.cautions(bad)[0]
    assert "1.09x [1.05, 1.13]" in cautions.cautions(bad)[0]
    assert [control.ok for control in cautions.controls(bad)] == [False, False]


def test_an_unsettled_verdict_and_an_interrupted_run_are_told(run: RunRecord) -> None:
    open_verdict = verdict([["a"], ["b"]], settled=False)
    half = with_verdicts(run, open_verdict).model_copy(update={"status": "interrupted"})
    told = cautions.cautions(half)
    assert "interrupted" in told[0]
    assert any("Not settled in json after 5 blocks" in text for text in told)
    assert any("1 of 48 trials did not count" in text for text in told)
