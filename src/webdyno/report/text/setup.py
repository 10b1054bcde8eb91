"""How trials were really made: turns, the CPUs of each role, what a load left open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from webdyno.catalog.terms.cpus import cpus_text
from webdyno.report.numbers import counted
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.report.section import EntryRow, Section
    from webdyno.store.records import RunRecord, SetupRecord, TrialRecord
    from webdyno.store.stored_study import StoredLoad


def trial_setup(section: Section) -> str:
    """`in 15 turns of 100 ms; 32 connections; server on CPU 0, generator on CPU 1 (1 thread)`;
    empty where the records do not tell."""
    seen = [trial.setup for trial in _trials(section) if trial.setup is not None]
    if not seen:
        return ""
    taken = [one for one in seen if one.turn_s]
    parts = [f"in {_turns(taken)}"] if taken else ["in one piece"]
    if taken and len(taken) < len(seen):
        parts[-1] += f" ({len(seen) - len(taken)} of {counted(len(seen), 'trial')} in one piece)"
    if note := next((one.turns_note for one in seen if one.turns_note), ""):
        parts[-1] += f" (no turns: {note})"
    if connections := _range(one.connections for one in seen if one.connections):
        parts.append(f"{connections} connection{'' if connections == '1' else 's'}")
    parts += sorted({_where(one) for one in seen})
    return "; ".join(parts)


def _turns(taken: Sequence[SetupRecord]) -> str:
    """`92 to 113 turns of 40 to 49 ms`."""
    lengths = [one.turn_s for one in taken if one.turn_s]
    ends = dict.fromkeys(map(duration, (min(lengths), max(lengths))))
    return f"{_range(one.turns for one in taken)} turns of {' to '.join(ends)}"


def turn_lengths(run: RunRecord, load: str) -> set[float] | None:
    """The lengths of the turns that trials under `load` took, 0 for those in one piece; None where
    the records do not tell."""
    known = [t.setup for t in run.trials if t.load == load and t.setup and t.measurement]
    return {one.turn_s or 0.0 for one in known} if known else None


def one_threaded(run: RunRecord, section: Section) -> list[str]:
    """Of each ranked server that fills one thread while cores of its own idle: what that means, and
    which variant uses them."""
    others = {server.entry: server.all_cores for server in run.servers}
    found = []
    for row in section.rows:
        reasons = [trial.bottleneck_reason for trial in row.trials if trial.one_thread]
        if row.limit != "one-thread" or not reasons or row.control:
            continue
        other = others.get(row.entry, "")
        more = f"; {other} uses all cores" if other else ""
        found.append(f"{row.entry}: {reasons[0].partition(', which')[0]}{more}")
    return found


def _trials(section: Section) -> Iterable[TrialRecord]:
    rows: tuple[EntryRow, ...] = section.rows
    return (trial for row in rows for trial in row.trials if trial.measurement is not None)


def _where(setup: SetupRecord) -> str:
    threads = setup.generator_threads
    load = (
        f"load from {' and '.join(setup.load_machines)}"
        if setup.load_machines
        else f"generator on {_cpus(setup.generator_cpus)}"
    )
    text = f"server on {_cpus(setup.server_cpus)}, {load}"
    text += f" ({counted(threads, 'thread')})" if threads else ""
    if setup.service_machine:
        return f"{text}, services on {setup.service_machine}"
    return text + (f", services on {_cpus(setup.service_cpus)}" if setup.service_cpus else "")


def _cpus(cpus: list[int]) -> str:
    return f"CPU{'' if len(cpus) == 1 else 's'} {cpus_text(cpus)}"


def _range(numbers: Iterable[int]) -> str:
    values = sorted(set(numbers))
    if not values:
        return ""
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


def turns_of(run: RunRecord, load: StoredLoad, label: str) -> str:
    """` in turns of 100 ms`, as far as its trials really took them; empty for none."""
    if not load.slice:
        return ""
    taken = turn_lengths(run, label)
    words = f" in turns of {duration(load.slice)}"
    if taken is None or 0.0 not in taken:
        return words
    return f"{words} where every server could take them" if len(taken) > 1 else ""
