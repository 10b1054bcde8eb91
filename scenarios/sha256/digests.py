"""The chain of digests over a content: d(1) = SHA256(content), d(i) = SHA256(content, d(i-1)).

The state after the content is computed once: the verifier may, a server may not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice


def digests(content: bytes, values: Iterable[int]) -> dict[str, str]:
    """The digest for each of `values`, from one chain up to the largest."""
    wanted = set(values)
    chain = islice(_chain(content), max(wanted))
    return {str(n): digest.hex() for n, digest in enumerate(chain, 1) if n in wanted}


def digest(content: bytes, n: int) -> str:
    """The `n`-th digest."""
    return digests(content, [n])[str(n)]


def _chain(content: bytes) -> Iterator[bytes]:
    state = hashlib.sha256(content)
    last = state.digest()
    while True:
        yield last
        following = state.copy()
        following.update(last)
        last = following.digest()
