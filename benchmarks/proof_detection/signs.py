"""How well each sign that a server sees tells a request of the proof from one of the load."""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LINE_PREFIX = "seen "

PROOFS = {"verify": "first", "audit": "second"}
"""Steps of a trial in which its verifier asks, and which proof that is."""

LOAD = frozenset({"warm-up", "measure"})

_WINDOW_S = 0.01


@dataclass(frozen=True)
class ObservedRequest:
    """What a server knows of a request when it has come: only what lies before it in time."""

    step: str
    head: str
    """Its header lines without their values: names, order, case."""
    number: int
    """Which request of its connection it is, from 1."""
    open_connections: int
    """Connections that are open."""
    recent: int
    """Requests of the last 10 ms."""


@dataclass(frozen=True)
class SignAccuracy:
    """How well one sign tells proof from load. `accuracy` is the balanced accuracy of the best
    rule that looks at nothing else: 0.5 is guessing, 1 is certain."""

    sign: str
    accuracy: float
    rule: str
    spared_share: float
    """Part of the load that is surely load by this sign: a server that is honest wherever 99% of
    the proof lies would spare itself the work of so much."""


Interval = tuple[float, float]


def observed_requests(
    log: str,
    steps: Sequence[tuple[float, str]],
    beside: Sequence[Interval] = (),
    young: Sequence[Interval] = (),
) -> list[ObservedRequest]:
    """The requests that a witness wrote down, with the step that each came in.

    `steps` are the times at which the steps of the trial began, in order. Left out is what came on
    connections that opened in `beside`, since they are those of the load that goes on beside the
    second proof, and what came in `young`, since it lets the proof's connections grow old.
    """
    events = _events(log)
    others = {
        event["connection"]
        for event in events
        if event["event"] == "open" and _within(event["at"], beside)
    }
    began = [at for at, _ in steps]
    counts: Counter[int] = Counter()
    alive: set[int] = set()
    recent: deque[float] = deque()
    found = []
    for event in events:
        number, at = event["connection"], event["at"]
        if event["event"] != "request":
            (alive.add if event["event"] == "open" else alive.discard)(number)
            continue
        counts[number] += 1
        while recent and recent[0] < at - _WINDOW_S:
            recent.popleft()
        place = bisect_left(began, at) - 1
        step = steps[place][1] if place >= 0 else ""
        if number not in others and not _within(at, young):
            found.append(
                ObservedRequest(step, shape(event["head"]), counts[number], len(alive), len(recent))
            )
        recent.append(at)
    return found


def _events(log: str) -> list[dict[str, Any]]:
    lines = (
        line.removeprefix(LINE_PREFIX) for line in log.splitlines() if line.startswith(LINE_PREFIX)
    )
    return [event for line in lines if "event" in (event := json.loads(line))]


def _within(at: float, spans: Sequence[Interval]) -> bool:
    return any(began <= at <= ended for began, ended in spans)


def shape(head: str) -> str:
    """The form of a request's head: its method, version, and the names of its lines as sent."""
    first, *lines = head.split("\r\n")
    method, _, rest = first.partition(" ")
    names = [line.partition(":")[0] for line in lines]
    return " ".join([method, rest.rpartition(" ")[2], *names])


_NUMBERS: Mapping[str, Callable[[ObservedRequest], float]] = {
    "requests on its connection so far": lambda one: one.number,
    "connections that are open": lambda one: one.open_connections,
    "requests in the last 10 ms": lambda one: one.recent,
}


def sign_accuracies(observed: Iterable[ObservedRequest], step: str) -> list[SignAccuracy]:
    """Each sign by itself, the clearest first: of the proof that is made in `step`; none where no
    request of that proof, or none of the load, was seen, as there is nothing to tell apart."""
    proof, load = [], []
    for one in observed:
        if one.step == step:
            proof.append(one)
        elif one.step in LOAD:
            load.append(one)
    if not proof or not load:
        return []
    found = [
        _by_kind("form of the head", [one.head for one in proof], [one.head for one in load]),
        *(
            _by_number(sign, [number(one) for one in proof], [number(one) for one in load])
            for sign, number in _NUMBERS.items()
        ),
    ]
    return sorted(found, key=lambda sign: -sign.accuracy)


def _by_kind(sign: str, proof: Sequence[str], load: Sequence[str]) -> SignAccuracy:
    """The best rule over kinds: each belongs where it is the more frequent."""
    of_proof, of_load = Counter(proof), Counter(load)
    kinds = set(of_proof) | set(of_load)
    share = {k: (of_proof[k] / len(proof), of_load[k] / len(load)) for k in kinds}
    accuracy = sum(max(pair) for pair in share.values()) / 2
    alone = sorted(kind for kind in kinds if not of_load[kind])
    spared_share = sum(of_load[kind] for kind in kinds if not of_proof[kind]) / len(load)
    return SignAccuracy(
        sign, accuracy, f"only in proof: {alone[0]}" if alone else "the same kinds", spared_share
    )


def _by_number(sign: str, proof: Sequence[float], load: Sequence[float]) -> SignAccuracy:
    """The best threshold, either way round."""
    best, rule = 0.5, "no threshold"
    mine, theirs = sorted(proof), sorted(load)
    for at in sorted(set(mine) | set(theirs)):
        below_proof = bisect_left(mine, at) / len(mine)
        below_load = bisect_left(theirs, at) / len(theirs)
        accuracy = 0.5 + abs(below_proof - below_load) / 2
        if accuracy > best:
            best = accuracy
            rule = f"proof {'below' if below_proof > below_load else 'from'} {at:g}"
    # Nearly all of the proof lies within these: what lies outside is surely load.
    low, high = mine[len(mine) // 200], mine[math.ceil(len(mine) * 0.995) - 1]
    spared_share = sum(not low <= one <= high for one in theirs) / len(theirs)
    return SignAccuracy(sign, best, rule, spared_share)
