"""What is sent to a server that echoes, and what may be wrong with what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wsproto.events import BytesMessage, CloseConnection, Event, Pong, TextMessage

from webdyno.verifier.base import shorten
from webdyno.verifier.websocket import Came, Unspoken, WebSocket

Sent = str | bytes
# How many bytes a message has at the most.
LONGEST = 65_536
_SHOWN = 60


def event_of(message: Sent, *, finished: bool = True) -> TextMessage | BytesMessage:
    """What sends a message, or a fragment of one that is not finished."""
    if isinstance(message, str):
        return TextMessage(message, message_finished=finished)
    return BytesMessage(message, message_finished=finished)


def echoed(socket: WebSocket, message: Sent) -> str | None:
    """What is wrong with the answer to a message; None where it is the message."""
    socket.send(event_of(message))
    return differs(message, socket.receive())


def all_echoed(socket: WebSocket, messages: Sequence[Sent]) -> str | None:
    """What is wrong with the answers to messages that are sent at once; None where they are the
    messages, in their order."""
    socket.send(*map(event_of, messages))
    problems = (differs(message, socket.receive()) for message in messages)
    return next(filter(None, problems), None)


def differs(sent: Sent, came: Came) -> str | None:
    """How what came differs from what was sent; None where it does not."""
    return None if came == sent else f"{shown(sent)} was answered by {shown(came)}"


def pinged(
    socket: WebSocket, payload: bytes, events: Sequence[Event], messages: Sequence[Sent]
) -> str | None:
    """What is wrong with the answers to `events`: these messages, and a ping of `payload` before
    the last of them, whose pong comes no later than the last answer."""
    socket.send(*events)
    answers: list[Came] = []
    pongs: list[bytes] = []
    while len(answers) < len(messages):
        came = socket.receive()
        if isinstance(came, Pong):
            pongs.append(bytes(came.payload))
        else:
            answers.append(came)
    for message, answer in zip(messages, answers, strict=True):
        if wrong := differs(message, answer):
            return wrong
    if pongs == [payload]:
        return None
    said = " and ".join(f"a pong of {len(pong)} bytes {pong[:8]!r}" for pong in pongs)
    return f"a ping of {len(payload)} bytes {payload[:8]!r} was answered by {said or 'no pong'}"


def shown(message: Came) -> str:
    """What was sent or came, for a reader, in few words."""
    if message is None:
        return "the end of the connection"
    if isinstance(message, CloseConnection):
        return f"a close of {int(message.code)}"
    if isinstance(message, Pong):
        return "a pong"
    length = f"{len(message)} {'characters' if isinstance(message, str) else 'bytes'}"
    kind = "text" if isinstance(message, str) else "binary message"
    return f"a {kind} of {length} ({shorten(repr(message), _SHOWN)})"


def spoken(problem: Callable[[], str | None]) -> str | None:
    """The problem that is found, or by what the server departs from the protocol."""
    try:
        return problem()
    except Unspoken as error:
        return str(error)
