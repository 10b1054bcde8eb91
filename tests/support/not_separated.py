"""Pairs of a verdict that could not be told apart."""

from __future__ import annotations

from webdyno.store.verdicts import RatioRecord


def not_separated(pair: RatioRecord, *entries: str) -> RatioRecord:
    """`pair` as one that was not separated, where both of its entries are among `entries`."""
    if not {pair.of, pair.to} <= set(entries):
        return pair
    return pair.model_copy(update={"outcome": "not separated"})
