"""A load in words, from the study as it was stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.catalog.loads.abilities import BUILT_IN
from webdyno.report.numbers import counted
from webdyno.report.text.setup import turns_of
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.stored_study import StoredLoad


def describe(run: RunRecord, label: str) -> str:
    """What the load called `label` does; empty where the study does not tell."""
    found = run.study.load(label)
    if found is None:
        return ""
    load = _as_made(run, found, label)
    return _described(load, _connections(run, label), turns_of(run, load, label))


def planned(load: StoredLoad) -> str:
    """What `load` does, where no run has made it yet."""
    turns = f" in turns of {duration(load.slice)}" if load.slice else ""
    return _described(load, _AS_SUITS, turns)


def figures_of(words: str) -> str:
    """Of what a load does the figures alone, without what each connection does next."""
    return (words.partition(": ")[2] or words).replace(_NEXT, "")


_NEXT = (
    ", each sending its next request when the last is answered; a stall delays one request per "
    "connection, not all those that would have arrived meanwhile"
)
"""What a closed load is."""


def _described(load: StoredLoad, left_open: str, turns: str) -> str:
    generator = load.generator or BUILT_IN
    made = "" if generator == BUILT_IN else f"; load made by {generator}"
    return _words(load, left_open, turns) + _cookies(load) + made


def _is_half(load: StoredLoad | None) -> bool:
    """Whether its rate is that of no study, but half of what the slowest server handles."""
    return load is not None and load.scale == "half"


def _as_made(run: RunRecord, load: StoredLoad, label: str) -> StoredLoad:
    """`load` as long as it was made where the budget made it shorter."""
    lengths = run.plan.lengths_s if run.plan else {}
    return load.model_copy(update={"duration": lengths[label]}) if label in lengths else load


def fitted(run: RunRecord, scenario: str, label: str) -> str:
    """How an open load was fitted to this machine and the budget; empty where it was not."""
    fits = [s for s in run.fitted_loads or [] if s.cell == (scenario, label)]
    if not fits or fits[0].asked == fits[0].given:
        return ""
    record = fits[0]
    parts = []
    if record.slowest:
        carried = record.carried_rps[record.slowest]
        parts.append(
            f"half of what {record.slowest} handled here, {carried:,.0f} req/s"
            if _is_half(run.study.load(label))
            else f"all rates multiplied by {record.rate_factor:g}, for all servers alike, because "
            f"{record.slowest} handled {carried:,.0f} req/s in a short closed load here"
        )
    if record.time_factor < 1:
        parts.append("phases shortened to fit the budget")
    made = ", then ".join(phase.replace(":", " for ") for phase in record.given)
    return f"Fitted to this machine: {'; '.join(parts)}. As run: {made}."


def is_open(run: RunRecord, label: str) -> bool:
    """Whether requests arrive on a schedule: then throughput is the load's, not the server's."""
    return describe(run, label).startswith("open")


def brief(run: RunRecord, scenario: str, label: str) -> str:
    """The figures of the load alone, for a heading: as made, where it was fitted."""
    words = describe(run, label)
    if fitted(run, scenario, label):
        made = next(s.given for s in run.fitted_loads or [] if s.cell == (scenario, label))
        phases = ", then ".join(phase.replace(":", " for ") for phase in made)
        return f"{phases} (fitted to this machine)"
    return figures_of(words.partition(", each")[0])


def _cookies(load: StoredLoad) -> str:
    if load.cookies is False:
        return "; no cookies are kept, so that every request is a first visit"
    if load.visits:
        visits = counted(load.visits, "visit")
        return f"; each user is replaced by a new one, without cookies, after {visits}"
    return ""


_AS_SUITS = "as many connections as suit the server's cores"


def _connections(run: RunRecord, label: str) -> str:
    """The connections of a load whose study leaves them open."""
    made = {t.setup.connections for t in run.trials if t.load == label and t.setup}
    known = sorted(number for number in made if number)
    if not known:
        return _AS_SUITS
    if len(known) == 1:
        return counted(known[0], "connection")
    return f"{known[0]:,} to {known[-1]:,} connections"


def _words(load: StoredLoad, left_open: str, turns: str) -> str:
    phases = ", then ".join(
        phase.replace(":", " for ").replace("..", " rising to ") for phase in load.phases
    )
    match load.kind:
        case "closed":
            connections = load.connections
            many = counted(connections, "connection") if connections else left_open
            lasts = f" for {duration(load.duration)}" if load.duration else ""
            return f"closed load: {many}{lasts}{turns}{_NEXT}"
        case "open" if _is_half(load):
            lengths = " and ".join(phase.partition(":")[2] for phase in load.phases)
            return (
                f"open load: half of what the slowest handles, for {lengths}, "
                f"{load.arrivals} arrivals"
            )
        case "open":
            return f"open load: {phases}, {load.arrivals} arrivals"
        case "objective":
            return (
                f"objective: the highest rate with {load.objective} and errors {load.errors}, "
                f"found by open steps of {duration(load.step)}"
            )
        case "iterations":
            return f"{counted(load.users, 'user')}, each sending {load.iterations:,} requests"
    return ""
