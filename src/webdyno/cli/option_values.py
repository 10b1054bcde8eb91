"""Values of options that several commands have, as text: a refusal names the option."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from webdyno.catalog.terms import quantity
from webdyno.errors import UserError

LEAST_MARGIN, MOST_MARGIN = 0.001, 0.99
"""Of a difference that does not matter: nobody makes as many trials as a smaller one needs, and a
larger one leaves nothing to compare."""

MOST_BLOCKS = 10_000
"""Of --blocks: the most of `webdyno.catalog.studies.study_tables.Blocks`, which is too heavy to be
imported before the warden is forked."""

LEAST_NOISE_S, MOST_NOISE_S = 1.0, 120.0
"""Of noise: less has too few windows, and more says nothing new."""

Given = TypeVar("Given")
Parsed = TypeVar("Parsed")


def of_option(option: str, parse: Callable[[Given], Parsed], value: Given) -> Parsed:
    """`value` as `parse` reads it. Raises `UserError` that begins with the option's name."""
    try:
        return parse(value)
    except UserError as error:
        raise UserError(f"{option}: {error}") from None


def budget_s(text: str) -> float:
    """Seconds of --budget. Raises `UserError`."""
    return of_option("--budget", quantity.budget, text)


def start_timeout_s(text: str) -> float:
    """Seconds of --start-timeout. Raises `UserError`."""
    return of_option("--start-timeout", quantity.start_timeout, text)


def noise_s(text: str) -> float:
    """Seconds for which `doctor` measures noise, by --duration. Raises `UserError`."""
    seconds = of_option("--duration", quantity.duration, text)
    if not LEAST_NOISE_S <= seconds <= MOST_NOISE_S:
        raise UserError(
            f"--duration: '{text}' is no time to measure noise; write one from 1s to 2m"
        )
    return seconds


def share_of(option: str, text: str, least: float, most: float) -> float:
    """The share that an option gives as `5%` or `0.05`. Raises `UserError`."""
    return of_option(option, partial(quantity.share, least=least, most=most), text)


def margin_of(text: str) -> float:
    """The share of --margin. Raises `UserError`."""
    return share_of("--margin", text, LEAST_MARGIN, MOST_MARGIN)
