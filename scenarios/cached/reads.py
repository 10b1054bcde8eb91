"""How often rows have to be read that are kept for a time, by what is known of a load."""

from __future__ import annotations

import math
from collections.abc import Sequence

# So small a share of rows may go unasked for in a time in which all are taken to be asked for.
MISSED = 1e-6


def least_reads(asked: Sequence[tuple[float, float]], *, between: float, kept_s: float) -> int:
    """How often each row was read at the least, if none was used `kept_s` after it was read.

    `asked` tells when sampled requests were sent and by when they were answered. The sample is
    uniform: so many answers were given between one of it and the next that each row was asked for
    `between` times, on average. Between one and the last of some that follow, each was asked for,
    and so had been read after that began, less `kept_s`, and before it ended. Such times are put
    one behind the other; each has a read of its own. What the load does elsewhere does not matter.
    """
    times = sorted(asked)
    # Between two of a sample the number of answers is exponential: of `n` such numbers, their sum
    # leaves a row out with this chance to the power of `n`.
    out = 1 / (1 + between)
    following = math.ceil(math.log(MISSED) / math.log(out)) if out < 1 else len(times)
    reads, over_s = 0, times[0][0] if times else 0.0
    for first in range(len(times) - following):
        if times[first][0] - kept_s >= over_s:
            reads += 1
            over_s = max(by_s for _, by_s in times[first : first + following + 1])
    return reads
