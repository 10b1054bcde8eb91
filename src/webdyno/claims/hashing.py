"""How fast SHA-256 can be: the fastest that is known of one core, and this machine's."""

from __future__ import annotations

import hashlib
import time

FASTEST_BYTES_PER_S = 2.0e9
"""SHA-256 of one core with the SHA extensions (SHA-NI), as OpenSSL's `speed` shows it on x86-64
processors of 3 to 5 GHz: 1.5 to 2.2 GB/s. Without them, by AVX2, it is a third to a quarter."""

CERTAIN = 2.0
"""A processor might be faster than that, but not so many times: below a `CERTAIN`th of the least
time nothing was hashed."""

_best = 0.0

_PIECE = bytes(16_000)
_ROUNDS, _TRIES = 25, 80
"""Many short tries: what a host steals from a virtual machine is in a thread's CPU time, and a try
of a few milliseconds may hold some of it every time."""


def this_machine() -> float:
    """Bytes/s of one core here, the best of all tries so far and of some more.

    By CPU time, which does not run while others have the core.
    """
    global _best
    for _ in range(_TRIES):
        began = time.thread_time()
        for _ in range(_ROUNDS):
            hashlib.sha256(_PIECE).digest()
        _best = max(_best, len(_PIECE) * _ROUNDS / max(time.thread_time() - began, 1e-6))
    return _best


def is_the_processors_own() -> bool:
    """Whether Python hashes with OpenSSL, which uses the processor's own instructions: a server
    may be faster than Python's other implementations."""
    return hashlib.sha256.__name__.startswith("openssl")
