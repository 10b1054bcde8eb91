"""The rows of purch_sku_master: the same for the same seed, on every machine and at any time.

They are made in blocks, each from the seed and its own number, so that any row's id is known
without making those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

VERSION = 1  # of what is made here: another one is another table
BLOCK = 1000
_BYTES = 32  # of random digits in a row: half of them are its sku_id

TABLE = "purch_sku_master"
COLUMNS = """
  mem_id VARCHAR(32) NOT NULL,
  mem_code VARCHAR(32) NOT NULL,
  sku_id VARCHAR(64) NOT NULL,
  sku_code VARCHAR(32) NOT NULL,
  item VARCHAR(64) NOT NULL,
  sku_name VARCHAR(128) NOT NULL,
  sku_abbr VARCHAR(128) NOT NULL
"""
INDEX = f"CREATE INDEX purch_sku_master_sku_id ON {TABLE} (sku_id)"


def sku_id(seed: int, row: int) -> str:
    """The sku_id of row `row`, counted from 0."""
    return _id(_numbers(seed, row // BLOCK)[row % BLOCK])


def blocks(seed: int, rows: int) -> Iterator[str]:
    """All rows as tab-separated lines, a block at a time."""
    for block in range(-(-rows // BLOCK)):
        size = min(BLOCK, rows - block * BLOCK)
        yield "".join(_line(number) for number in _numbers(seed, block)[:size])


def _numbers(seed: int, block: int) -> list[str]:
    digits = Random(f"{VERSION}:{seed}:{block}").randbytes(_BYTES * BLOCK).hex()
    width = 2 * _BYTES
    return [digits[start : start + width] for start in range(0, len(digits), width)]


def _id(number: str) -> str:
    digits = number[:32]
    return f"sku-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _line(number: str) -> str:
    # The published rows were of this shape, with longer numbers: a copy of the table for each trial
    # costs by its size, and what a lookup costs does not depend on it.
    return (
        f"main\tmain\t{_id(number)}\tSKU{int(number[32:40], 16):010d}\tITEM{number[40:48]}\t"
        f"卫衣_MQF1213020_蓝_{number[48:56]}\t针织衫_{number[56:64]}\n"
    )
