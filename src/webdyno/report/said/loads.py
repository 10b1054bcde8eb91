"""A load in words, from the study as it was stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webdyno.catalog.abilities import BUILT_IN
from webdyno.report.numbers import counted, duration
from webdyno.report.said.setup import turns_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webdyno.store.records import RunRecord


def describe(run: RunRecord, label: str) -> str:
    """What the load called `label` does; empty where the study does not tell."""
    found = _asked(run, label)
    if found is None:
        return ""
    load = _as_made(run, found, label)
    generator = load.get("generator") or BUILT_IN
    made = "" if generator == BUILT_IN else f"; load made by {generator}"
    return _words(run, load, label) + _cookies(load) + made


def _asked(run: RunRecord, label: str) -> Mapping[str, Any] | None:
    """The load as the study has it; None where that does not tell."""
    loads = run.study.get("loads", [])
    named = [load for load in loads if load.get("name") == label]
    # An unnamed load is labelled by its figures; where there is but one, it is this one.
    found = named or (loads if len(loads) == 1 else [])
    found = found or [load for load in loads if _likely(load, label)]
    return found[0] if found else None


def _is_half(load: Mapping[str, Any] | None) -> bool:
    """Whether its rate is that of no study, but half of what the slowest server handles."""
    return load is not None and load.get("scale") == "half"


def _as_made(run: RunRecord, load: Mapping[str, Any], label: str) -> Mapping[str, Any]:
    """`load` as long as it was made where the budget made it shorter."""
    lengths = run.plan.lengths_s if run.plan else {}
    return {**load, "duration": lengths[label]} if label in lengths else load


def fitted(run: RunRecord, scenario: str, label: str) -> str:
    """How an open load was fitted to this machine and the budget; empty where it was not."""
    found = [s for s in run.scalings or [] if (s.scenario, s.load) == (scenario, label)]
    if not found or found[0].asked == found[0].given:
        return ""
    scaling = found[0]
    said = []
    if scaling.slowest:
        carried = scaling.carried_rps[scaling.slowest]
        said.append(
            f"half of what {scaling.slowest} handled here, {carried:,.0f} req/s"
            if _is_half(_asked(run, label))
            else f"all rates multiplied by {scaling.rate_factor:g}, for all servers alike, because "
            f"{scaling.slowest} handled {carried:,.0f} req/s in a short closed loop here"
        )
    if scaling.time_factor < 1:
        said.append("phases shortened to fit the budget")
    made = ", then ".join(phase.replace(":", " for ") for phase in scaling.given)
    return f"Fitted to this machine: {'; '.join(said)}. As run: {made}."


def is_open(run: RunRecord, label: str) -> bool:
    """Whether requests arrive on a schedule: then throughput is the load's, not the server's."""
    return describe(run, label).startswith("open")


def brief(run: RunRecord, scenario: str, label: str) -> str:
    """The figures of the load alone, for a heading: as made, where it was fitted."""
    words = describe(run, label)
    if fitted(run, scenario, label):
        made = next(
            s.given for s in run.scalings or [] if (s.scenario, s.load) == (scenario, label)
        )
        phases = ", then ".join(phase.replace(":", " for ") for phase in made)
        return f"{phases} (fitted to this machine)"
    return (words.partition(": ")[2] or words).partition(", each")[0]


def _likely(load: Mapping[str, Any], label: str) -> bool:
    if load.get("name"):
        return False
    kind = load.get("kind", "")
    if kind == "objective":
        return label == load.get("objective")
    figures = {"closed": "connections", "iterations": "users"}
    return label.startswith(kind) and str(load.get(figures.get(kind, ""), "")) in label


def _cookies(load: Mapping[str, Any]) -> str:
    if load.get("cookies") is False:
        return "; no cookies are kept, so that every request is a first visit"
    if load.get("visits"):
        visits = counted(load["visits"], "visit")
        return f"; each user is replaced by a new one, without cookies, after {visits}"
    return ""


def _left_open(run: RunRecord, label: str) -> str:
    """The connections of a load whose study leaves them open."""
    made = {t.setup.connections for t in run.trials if t.load == label and t.setup}
    known = sorted(number for number in made if number)
    if not known:
        return "as many connections as suit the server's cores"
    if len(known) == 1:
        return counted(known[0], "connection")
    return f"{known[0]:,} to {known[-1]:,} connections"


def _words(run: RunRecord, load: Mapping[str, Any], label: str) -> str:
    kind = load.get("kind")
    if kind == "closed":
        connections = load.get("connections")
        many = counted(connections, "connection") if connections else _left_open(run, label)
        return (
            f"closed loop: {many} for "
            f"{duration(float(load['duration']))}{turns_of(run, load, label)}, each sending its "
            "next request when the last is answered; a stall delays one request per connection, "
            "not all those that would have arrived meanwhile"
        )
    if kind == "open" and _is_half(load):
        lengths = " and ".join(str(phase).partition(":")[2] for phase in load.get("phases", []))
        arrivals = load.get("arrivals", "poisson")
        return f"open loop: half of what the slowest handles, for {lengths}, {arrivals} arrivals"
    if kind == "open":
        phases = ", then ".join(
            str(phase).replace(":", " for ").replace("..", " rising to ")
            for phase in load.get("phases", [])
        )
        return f"open loop: {phases}, {load.get('arrivals', 'poisson')} arrivals"
    if kind == "objective":
        return (
            f"objective: the highest rate with {load['objective']} and errors "
            f"{load.get('errors', '< 0.1%')}, found by open-loop steps of "
            f"{duration(float(load.get('step', 2.0)))}"
        )
    if kind == "iterations":
        return f"{counted(load['users'], 'user')}, each sending {load['iterations']:,} requests"
    return ""
