"""What machines of a cluster say to each other, as types: read whole, or refused in one line.

Who knows the secret may say anything. What is of the wrong kind, lacks something or is more than
there can be is told by the name of whoever said it, and never gets further than here.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from webdyno.catalog.reading.fault import first_fault
from webdyno.errors import UserError
from webdyno.printable import printable

MOST = 1 << 62
"""Of what is counted."""

BoundedText = Annotated[str, Field(max_length=1_000)]
BoundedCount = Annotated[int, Field(ge=0, le=MOST)]
BoundedSeconds = Annotated[float, Field(ge=0, le=1e9)]
BoundedRate = Annotated[float, Field(ge=0, le=1e15)]
Port = Annotated[int, Field(ge=1, le=65535)]

MOST_LINES = 100_000
"""Of what is a list."""


class WireMessage(BaseModel):
    """Whatever is said. What a newer version says beside it is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class MalformedMessage(UserError):
    """A machine has said what none of this version says."""


Kind = TypeVar("Kind", bound=BaseModel)


def read_message(kind: type[Kind], data: object, sender: str) -> Kind:
    """What `sender` said, as that kind. Raises `MalformedMessage`."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        fault = printable(first_fault(error, kind))
        raise MalformedMessage(
            f"{sender} sent invalid data ({kind.__name__}: {fault[:200]}); check that it runs the "
            "same Webdyno"
        ) from None
    except RecursionError:
        raise MalformedMessage(
            f"{sender} sent invalid data ({kind.__name__}: nested too deeply); check that it "
            "runs the same Webdyno"
        ) from None
