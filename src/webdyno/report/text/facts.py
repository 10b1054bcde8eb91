"""Short facts around the answer: how sure, on which machine, by which method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webdyno.report.numbers import counted, fine_percent, percent, ratio, scale_for, size
from webdyno.report.services import services_of
from webdyno.report.text import cautions
from webdyno.report.text.sentences import scope_of
from webdyno.report.text.setup import turn_lengths
from webdyno.words import duration, listed

if TYPE_CHECKING:
    from webdyno.store.hardware import StoredMachines
    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import VerdictRecord

FAR = 9.0
"""A resolution beyond a factor of ten is none."""


@dataclass(frozen=True)
class Fact:
    """A labelled figure; `bad` where it should worry the reader."""

    label: str
    value: str
    note: str = ""
    bad: bool = False


def sureness(run: RunRecord) -> list[Fact]:
    """How sure the answer is: confidence, blocks, control, resolution, trials that count."""
    facts: list[Fact] = []
    if run.verdicts:
        facts.append(
            Fact(
                "Confidence",
                _confidence(run),
                "for all comparisons in a verdict together",
            )
        )
        blocks = sorted({verdict.blocks for verdict in run.verdicts})
        facts.append(
            Fact(
                "Blocks",
                " to ".join(str(count) for count in dict.fromkeys((blocks[0], blocks[-1]))),
                "every server, restarted, in random order",
            )
        )
    facts.extend(_control(run))
    facts.extend(_resolution(run))
    good = sum(trial.status == "ok" for trial in run.trials)
    facts.append(
        Fact(
            "Trials that count",
            f"{good} of {len(run.trials)}",
            "verified, audited, checked for integrity",
            bad=good < len(run.trials),
        )
    )
    return facts


def _resolution(run: RunRecord) -> list[Fact]:
    """What differences can be seen: of the finest verdict and, where another is coarser, of the
    coarsest, by name."""
    known = [verdict for verdict in run.verdicts if verdict.resolution is not None]
    if not known:
        return []
    finest, coarsest = (pick(known, key=_resolution_of) for pick in (min, max))
    if _resolution_of(finest) >= FAR:
        return [Fact("Resolution", "unknown", "the control's blocks differ too much")]
    texts = list(dict.fromkeys(map(_resolution_text, (finest, coarsest))))
    note = "smaller differences are seldom detected here"
    if len(texts) > 1:
        note += f"; it is coarsest in {scope_of(run, coarsest)}"
    return [Fact("Resolution", " to ".join(texts), note)]


def _resolution_of(verdict: VerdictRecord) -> float:
    return math.inf if verdict.resolution is None else verdict.resolution


def _resolution_text(verdict: VerdictRecord) -> str:
    resolves = _resolution_of(verdict)
    if resolves >= FAR:
        return "unknown"
    return fine_percent(resolves) if resolves < 1 else ratio(1 + resolves)


def _control(run: RunRecord) -> list[Fact]:
    controls = cautions.controls(run)
    if not controls:
        entered = bool(run.study.control)
        why = "too few blocks to judge it" if entered else "the study enters no server twice"
        return [Fact("A/A control", "none", why)] if run.verdicts else []
    failed = [control for control in controls if not control.ok]
    # The worst one stands for all.
    worst = max(failed or controls, key=lambda control: control.reach)
    found = f"differs in {listed(c.scope for c in failed)}" if failed else worst.outcome_text
    return [Fact("A/A control", worst.text, f"a server against itself: {found}", bool(failed))]


def machine(run: RunRecord) -> list[Fact]:
    """The machine, in the words of a buyer."""
    values = run.machine.as_stored()
    values.pop("noise", None)
    memory = values.pop("memory_bytes", None)
    labels = {"cpu_model": "CPU", "cores": "Cores", "os": "System", "kernel": "Kernel"}
    facts = [Fact(label, str(values.pop(key))) for key, label in labels.items() if values.get(key)]
    if memory:
        facts.insert(min(2, len(facts)), Fact("Memory", size(float(memory))))
    values = {key: value for key, value in values.items() if key not in labels}
    facts.extend(_flat(values))
    facts.extend(_machines(run.machines))
    if run.placement:
        facts.append(Fact("Placement", run.placement))
    if run.limits:
        facts.append(Fact("Limits", run.limits))
    return facts


def _machines(machines: StoredMachines) -> list[Fact]:
    """What machine did what, where several took part, and what each is."""
    found = []
    for address, roles in machines.roles().items():
        text = ", ".join(roles)
        if (description := machines.facts.get(address)) is not None:
            machine, speed = description.machine, description.link.speed_mbit
            known = [
                counted(machine.cores, "core") if machine.cores else "",
                size(machine.memory_bytes) if machine.memory_bytes else "",
                machine.cpu_model or machine.architecture,
                f"Linux {machine.kernel}" if machine.kernel else "",
                f"{speed:,} Mbit/s" if speed else "",
            ]
            text += f": {', '.join(filter(None, known))}" if any(known) else ""
        found.append(Fact(address, text))
    return found


def noise(run: RunRecord) -> list[Fact]:
    """What the machine's noise was measured to be."""
    values = run.machine.as_stored().get("noise")
    if isinstance(values, Mapping):
        return _flat(values)
    return [Fact("Noise", str(values))] if values else []


def _turns(run: RunRecord) -> list[str]:
    taken = {load.slice: turn_lengths(run, load.label()) for load in run.study.loads if load.slice}
    lengths = {length for length, seen in taken.items() if seen is None or any(seen)}
    apart = [
        f"{trial.scenario} under {trial.load}: no turns, because {trial.setup.turns_note}."
        for trial in run.trials
        if trial.setup is not None and trial.setup.turns_note
    ]
    return list(dict.fromkeys(apart)) + [
        f"Once all are warm, the servers of a block take turns of {duration(length)} and "
        "are frozen in between, so that whatever disturbs one disturbs them all."
        for length in sorted(lengths)
    ]


def _confidence(run: RunRecord) -> str:
    """What the verdicts were drawn with, such as `95%`; `at least 97%` where they differ."""
    sure = {verdict.confidence for verdict in run.verdicts} or {run.study.confidence}
    return f"{'at least ' if len(sure) > 1 else ''}{percent(min(sure))}"


def method(run: RunRecord) -> list[str]:
    """How it was measured and concluded, in a few sentences."""
    study = run.study
    margin = run.verdicts[0].margin if run.verdicts else study.margin
    longest = study.warmup.max if study.warmup else None
    until = f" (at most {duration(longest)})" if longest else ""
    sentences = [
        f"A trial starts the server, verifies its answers, warms it up until it is steady{until}, "
        "measures it, checks a sample of the load's answers in full and stops it. Nothing else in "
        "the study runs at the same time.",
        "A block is one trial of every entry, in random order. Servers are compared within a "
        "block, so that a drifting machine affects them all alike.",
        *_turns(run),
        "Latency is measured from the intended send time, so a stalled server cannot hide the "
        "requests it kept waiting.",
        "A server's place is one more than the number of servers shown to be better at "
        f"{_confidence(run)} confidence, corrected for the number of comparisons. Two that were "
        f"not are tied if shown to be within {percent(margin)} of each other, else not separated.",
        "A server limited by the load generator is not ranked, because its figure is the "
        "generator's. Nor is one that gave wrong answers.",
        "The A/A control is one server entered twice. Any difference between its two entries is "
        "noise.",
    ]
    for service in services_of(run):
        settings = ", ".join(f"{name} = {value}" for name, value in service.settings.items())
        sentences.append(
            f"Each trial had its own {service.program} {service.version}, with fresh data"
            f"{f'; {settings}' if settings else ''}."
        )
    if study.method == "as-published":
        sentences.append(
            "This run follows the published method, flaws included; a sound one may rank otherwise."
        )
    return sentences


def _flat(values: Mapping[str, Any], prefix: str = "") -> list[Fact]:
    facts: list[Fact] = []
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            facts.extend(_flat(value, f"{name}."))
        elif value not in (None, "", [], {}):
            facts.append(Fact(_label(name), _text(name, value)))
    return facts


_LABELS = {
    "cores_total": "Cores of the machine",
    "governor": "CPU governor",
    "limit_cpus": "CPU limit, cores",
    "limit_memory_bytes": "Memory limit",
    "open_files": "Open files, limit",
    "open_files_most": "Open files, hard limit",
    "paused_share": "Periods paused by a quota",
    "seconds": "Noise measured for",
    "cv": "Same work varies by",
    "worst_window": "Slowest tenth of a second",
    "steal_share": "CPU time stolen by the host",
    "foreign_share": "CPU time used by other programs",
    "timer_late_us_p50": "Timers late, p50",
    "timer_late_us_p99": "Timers late, p99",
    "timer_late_us_max": "Timers late, maximum",
    "load_average": "Load average before",
}
"""Keys of the machine's description whose words are not the key's own."""


def _label(key: str) -> str:
    if key in _LABELS:
        return _LABELS[key]
    for unit in ("_share", "_bytes", "_seconds", "_s"):
        key = key.removesuffix(unit)
    words = key.replace("_", " ").replace(".", ", ")
    return words[:1].upper() + words[1:]


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if key.endswith("_bytes"):
            return size(float(value))
        if "_us_" in key or key.endswith("_us"):
            return scale_for("latency", [value]).with_unit(value)
        if key.endswith(("_share", "cv", "worst_window")):
            return percent(float(value))
        if key.endswith(("_s", "seconds")):
            return duration(float(value))
        return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return str(value)


def summary_line(run: RunRecord) -> str:
    """`5 blocks, 80 trials in 18 min` for the end of a run."""
    took = "unfinished" if run.took_s is None else duration(run.took_s)
    blocks = len({trial.block for trial in run.trials})
    return f"{counted(blocks, 'block')}, {counted(len(run.trials), 'trial')}, {took}"
