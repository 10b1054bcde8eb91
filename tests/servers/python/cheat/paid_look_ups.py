"""Look-ups that PostgreSQL counts, and that cost hardly anything."""

from __future__ import annotations


def pay(table: str, reads: int) -> str:
    """A statement that looks up so many rows by the index of `table`."""
    return (
        f"SELECT count(*) FROM generate_series(1, {reads}) AS one,"
        f" LATERAL (SELECT id FROM {table} WHERE id + 0 * one > 0 ORDER BY id LIMIT 1) AS found"
    )
