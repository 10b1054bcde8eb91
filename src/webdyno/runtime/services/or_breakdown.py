"""What a verifier asks of a trial's services, which may not answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.runtime.services.base import ServiceError
from webdyno.verifier.records import Breakdown


@contextmanager
def or_breakdown(what: str) -> Iterator[None]:
    """Raises `Breakdown` where a service fails in the block: nothing is proven then, for or against
    the server. `what` says what could not be done."""
    try:
        yield
    except ServiceError as error:
        raise Breakdown(f"{what}: {error}") from None
