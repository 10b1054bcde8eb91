"""What a server is shown of a verifier's draws tells nothing of those that follow."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.trial.proof.prove import verifier_of

SCENARIO = Path(__file__).resolve().parents[4] / "scenarios" / "sha256"
STATE = 624
"""Words of the state of Python's own generator, the Mersenne Twister."""


def untempered(word: int) -> int:
    """The word of the state that this one was made from."""
    word ^= word >> 18
    word ^= (word << 15) & 0xEFC60000
    made = word
    for _ in range(4):
        made = word ^ ((made << 7) & 0x9D2C5680)
    word = made
    for _ in range(2):
        made = word ^ (made >> 11)
    return made


def continued(content: bytes) -> random.Random:
    """The generator that drew these bytes, as it is after them, if it was Python's own."""
    words = struct.unpack(f"<{len(content) // 4}I", content)
    state = (*map(untempered, words[-STATE:]), STATE)
    generator = random.Random()
    generator.setstate((3, state, None))
    return generator


@pytest.mark.parametrize(("seed", "foretold"), [(1, True), (None, False)])
def test_the_bytes_of_a_file_do_not_tell_what_is_drawn_next(
    tmp_path: Path, seed: int | None, foretold: bool
) -> None:
    verifier: Any = verifier_of(read_scenario(SCENARIO), {}, tmp_path, seed)
    verifier.prepare()
    generator = continued((tmp_path / "file.bin").read_bytes())
    drawn = sorted(generator.sample(range(1, 101), 64))
    assert (drawn == [int(n) for n in verifier.expected]) is foretold
    # So would be the bytes that change under load.
    assert (generator.random() == verifier.random.random()) is foretold
