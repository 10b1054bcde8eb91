"""How a study names a server: `language/name`, or `language/name@variant`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator


def without_default(reference: str) -> str:
    """`reference` as trials and verdicts name the server: without `@default`, which says the same
    and would be taken for another."""
    return reference.removesuffix("@default")


ServerReference = Annotated[str, AfterValidator(without_default)]
