"""How far another machine's clocks are from ours, and how sure that is.

As NTP does it: a question and its answer carry the times at which they left and came. Half the
difference between the two directions is the offset, and it is wrong by at most half of what the
question and the answer were under way. Of many exchanges the quickest counts, since waiting adds
only to that.
"""

from __future__ import annotations

import struct
import time
from dataclasses import asdict, dataclass

from webdyno.cluster.wire.channel import Channel
from webdyno.store.load_machines import ClockRecord

MOST_SAMPLES, LEAST_SAMPLES = 100, 20
IN_ALL = 1_000
_BACKWARDS_NS = 10_000
"""By which an answer may seem to be quicker than it can: clocks do not run alike."""

_ASKED = struct.Struct("!Q")
_ANSWERED = struct.Struct("!Qqqq")


@dataclass(frozen=True)
class Exchange:
    """One question and its answer, in nanoseconds of the monotonic clocks: `sent` and `came` are
    ours, `heard` and `said` theirs. `ours_wall` and `wall` were read at `sent` and `heard`."""

    sent: int
    received: int
    replied: int
    came: int
    ours_wall: int
    wall: int

    @property
    def delay(self) -> int:
        """How long both were under way."""
        return (self.came - self.sent) - (self.replied - self.received)

    @property
    def offset(self) -> float:
        """What their clock shows more than ours."""
        return ((self.received - self.sent) + (self.replied - self.came)) / 2


@dataclass(frozen=True)
class Clock:
    """Another machine's clocks against ours, in seconds.

    `offset_s` is of the monotonic clocks, which count from when a machine started, and is what an
    agreed instant is converted by. `wall_offset_s` is of the clocks that tell the time of day. Both
    are right within `uncertainty_s`. The round-trip times are those of the exchanges.
    """

    offset_s: float
    wall_offset_s: float
    uncertainty_s: float
    rtt_min_s: float
    rtt_median_s: float
    samples: int

    def theirs_ns(self, ours_ns: int) -> int:
        """What their monotonic clock shows when ours shows `ours_ns`."""
        return ours_ns + round(self.offset_s * 1e9)

    def record(self) -> ClockRecord:
        """For a result."""
        return ClockRecord(**asdict(self))


def best(exchanges: list[Exchange]) -> Clock:
    """What many exchanges say: the offset by the quickest."""
    quickest = min(exchanges, key=lambda one: one.delay)
    delays = sorted(one.delay for one in exchanges)
    # Their wall clock was read where `heard` was, ours where `sent` was: half the way earlier.
    wall = quickest.wall - quickest.ours_wall - quickest.delay / 2
    return Clock(
        offset_s=quickest.offset / 1e9,
        wall_offset_s=wall / 1e9,
        uncertainty_s=max(quickest.delay, 0) / 2e9,
        rtt_min_s=delays[0] / 1e9,
        rtt_median_s=delays[len(delays) // 2] / 1e9,
        samples=len(delays),
    )


def exchange(channel: Channel, number: int) -> Exchange:
    """Ask once. Raises `OSError` where no answer comes."""
    ours_wall, sent = time.time_ns(), time.monotonic_ns()
    channel.link.sendall(_ASKED.pack(number))
    answer = channel.exactly(_ANSWERED.size)
    came = time.monotonic_ns()
    echoed, received, replied, wall = _ANSWERED.unpack(answer)
    answered = Exchange(sent, received, replied, came, ours_wall, wall)
    if echoed != number or replied < received or answered.delay < -_BACKWARDS_NS:
        raise ConnectionError("its clock reports impossible times")
    return answered


def samples_of(machines: int) -> int:
    """How often each of so many machines is asked: fewer the more there are, for they wait."""
    return max(LEAST_SAMPLES, min(MOST_SAMPLES, IN_ALL // max(machines, 1)))


def read_clock(channel: Channel, samples: int = MOST_SAMPLES) -> Clock:
    """Ask `samples` times over a channel that was dialled for `clock`."""
    return best([exchange(channel, number) for number in range(samples)])


def answer_clock(channel: Channel) -> None:
    """The other end: answer until the channel ends."""
    while True:
        question = channel.exactly(_ASKED.size)
        received, wall = time.monotonic_ns(), time.time_ns()
        (number,) = _ASKED.unpack(question)
        channel.link.sendall(_ANSWERED.pack(number, received, time.monotonic_ns(), wall))
