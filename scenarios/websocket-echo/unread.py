"""A client that sends on while it reads nothing, and what may become of its messages."""

from __future__ import annotations

from random import Random

from wsproto.events import CloseConnection

from webdyno.verifier import Breakdown, beside
from webdyno.verifier.websocket import WebSocket

_messages = beside(__file__, "messages")
Sent, event_of, differs = _messages.Sent, _messages.event_of, _messages.differs

MIB = 1024 * 1024
# What a server may take of a client that reads nothing. Recent kernels of Linux alone keep up to
# 32 MiB at the receiver and 4 at the sender; a server reads so fast that it seldom needs half.
MOST_BYTES = 48 * MIB
# What a client may leave unread before a server may end its connection.
LEAST_BYTES = 8 * MIB
# Where a message is not taken for so long, the server has stopped reading. One that is only slow
# counts as waiting, too: nobody is refused for it.
PAUSE_S = 0.5
LONGEST_S = 3.0
CLAIM = (
    f"from a client that reads nothing for a while, the server takes at most {MOST_BYTES // MIB}"
    f" MiB and leaves nothing out, or ends the connection after {LEAST_BYTES // MIB} MiB or more"
)
_LONGEST = _messages.LONGEST
# The last one has to be taken for more than a server may take.
_MANY = MOST_BYTES // _LONGEST + 1
_NUMBER = "{:08}"


class Numbered:
    """Messages of the greatest length that begin with their number: texts and binary messages by
    turns."""

    def __init__(self, random: Random) -> None:
        rest = _LONGEST - len(_NUMBER.format(0))
        self._text = f"{random.getrandbits(4 * rest):0{rest}x}"
        self._bytes = random.randbytes(rest)

    def __call__(self, number: int) -> Sent:
        mark = _NUMBER.format(number)
        return mark + self._text if number % 2 else mark.encode() + self._bytes


def wrong_with(random: Random, socket: WebSocket) -> str | None:
    """What is wrong with the answers to messages that are sent until the server takes no more, and
    read only then; None where all of them come back in their order, and they are few enough, or
    those before the end of a connection that the server may end."""
    numbered = Numbered(random)
    events = (event_of(numbered(number)) for number in range(_MANY))
    taken = socket.press(events, pause_s=PAUSE_S, longest_s=LONGEST_S)
    for number in range(min(taken.messages + 1, _MANY)):
        if number == taken.messages and not taken.ended:
            socket.send()  # the rest of the one that was under way
        try:
            came = socket.receive()
        except Breakdown:
            if taken.messages < _MANY:
                raise
            return f"it took {taken.bytes / MIB:.1f} MiB, and message {number + 1} is lost"
        if came is None or isinstance(came, CloseConnection):
            if taken.bytes >= LEAST_BYTES:
                return None
            return f"it ended the connection after {taken.bytes / MIB:.1f} MiB"
        if wrong := differs(numbered(number), came):
            return f"message {number + 1} of {taken.messages}: {wrong}"
    if taken.messages == _MANY:
        return f"it took {taken.bytes / MIB:.1f} MiB and kept them until they were read"
    return None
