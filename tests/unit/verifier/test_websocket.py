"""The verifiers' client of WebSocket, against servers of a few bytes."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from threading import Event as Moment
from threading import Thread

import pytest
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from webdyno.verifier import Breakdown
from webdyno.verifier.websocket import Unspoken, WebSocket

# The example of RFC 6455, section 1.3.
KEY, ACCEPT = b"the sample nonce", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
GRANTED = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
    f"Sec-WebSocket-Accept: {ACCEPT}\r\n"
)


@contextmanager
def serving(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that talks on one connection, then ends; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                talk(connection)

        thread = Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """A server that sends the next of these whenever something came, then ends; its address."""

    def answer_each(connection: socket.socket) -> None:
        for answer in answers:
            connection.recv(65536)
            connection.sendall(answer)

    with serving(answer_each) as url:
        yield url


def connected(url: str) -> WebSocket:
    return WebSocket(url, "/ws", key=KEY, timeout=5.0)


def test_fragments_are_joined_and_what_comes_between_them_is_told_first() -> None:
    came = (
        b"\x01\x03abc" + b"\x8a\x02hi" + b"\x80\x02\xc3\xa9" + b"\x82\x01\xff" + b"\x88\x02\x03\xe8"
    )
    with answering(GRANTED.encode() + b"\r\n", came) as url, connected(url) as talk:
        talk.send(TextMessage("x"), Ping(b"hi"))
        pong = talk.receive()
        assert bytes(getattr(pong, "payload", b"")) == b"hi"
        assert talk.receive() == "abcé"
        assert talk.receive() == b"\xff"
        closed = talk.receive()
        assert isinstance(closed, CloseConnection)
        assert closed.code == 1000
        assert talk.receive() is None


def test_a_connection_that_is_reset_has_ended() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            connection.recv(65536)
            connection.sendall(GRANTED.encode() + b"\r\n")
            connection.recv(65536)
            connection.sendall(b"\x88\x02\x03\xe8")
            # Without a wait, and without the usual goodbye.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

        thread = Thread(target=serve)
        thread.start()
        with connected(f"http://127.0.0.1:{listening.getsockname()[1]}") as talk:
            talk.send(CloseConnection(code=1000))
            thread.join()
            came = [talk.receive(), talk.receive()]
    # A reset may overtake the close.
    assert came[-1] is None


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n", "was answered 404"),
        (GRANTED.replace("s3p", "S3P"), "sec-websocket-accept is 'S3P"),
        (GRANTED + f"Sec-WebSocket-Accept: {ACCEPT}\r\n", "sec-websocket-accept is 's3p.*, s3p"),
        (GRANTED.replace("WebSocket\r", "h2c\r"), "has upgrade: 'h2c'"),
        (GRANTED.replace(", Upgrade", ""), "has connection: 'keep-alive'"),
        (GRANTED + "Sec-WebSocket-Protocol: chat\r\n", "which was not offered"),
        ("no HTTP\r\n", "is not HTTP"),
    ],
)
def test_an_upgrade_that_is_not_granted_is_told_by_what_is_wrong(answer: str, says: str) -> None:
    with answering(f"{answer}\r\n".encode()) as url, pytest.raises(Unspoken, match=says):
        connected(url)


@pytest.mark.parametrize(
    "answer",
    [
        GRANTED.replace("keep-alive, Upgrade", "Upgrade\r\nConnection: keep-alive"),
        GRANTED.replace("WebSocket\r", "websocket\r\nUpgrade: h2c\r"),
        GRANTED.replace("WebSocket\r", "h2c, websocket\r"),
        GRANTED + "Sec-WebSocket-Extensions:\r\n",
    ],
)
def test_an_upgrade_is_granted_by_any_field_of_a_name(answer: str) -> None:
    with answering(f"{answer}\r\n".encode()) as url, connected(url):
        pass


@pytest.mark.parametrize(
    "came",
    [
        pytest.param(b"\x81\x81\0\0\0\0a", id="masked"),
        pytest.param(b"\x81\x7e\x00\x01a", id="longer than it need be"),
        pytest.param(b"\x81\x02\xc3\x28", id="no UTF-8"),
        pytest.param(b"\x80\x01a", id="no beginning"),
        pytest.param(b"\xc1\x01a", id="compressed"),
    ],
)
def test_frames_that_the_protocol_has_not_are_told(came: bytes) -> None:
    with answering(GRANTED.encode() + b"\r\n", came) as url, connected(url) as talk:
        talk.send(TextMessage("x"))
        with pytest.raises(Unspoken, match="the server broke the WebSocket protocol: "):
            talk.receive()


def silent(url: str) -> None:
    with WebSocket(url, "/ws", key=KEY, timeout=0.05) as talk:
        talk.receive()


@pytest.mark.parametrize(
    ("answers", "ask", "says"),
    [((b"",), connected, "WebSocket /ws: the upgrade was not answered"),
     ((GRANTED.encode() + b"\r\n", b""), silent, "WebSocket /ws: received nothing within 0.05 s")],
)  # fmt: skip
def test_a_server_that_does_not_answer_broke_down(
    answers: tuple[bytes, ...], ask: Callable[[str], object], says: str
) -> None:
    with answering(*answers) as url, pytest.raises(Breakdown, match=says):
        ask(url)


@contextmanager
def upgraded(then: Callable[[socket.socket], None]) -> Iterator[WebSocket]:
    """A connection to a server that grants the upgrade, and does something `then`."""

    def grant(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(GRANTED.encode() + b"\r\n")
        then(connection)

    with serving(grant) as url, connected(url) as talk:
        yield talk


def test_what_a_server_does_not_take_is_sent_once_it_reads_on() -> None:
    reads, message = Moment(), bytes(65536)
    came = bytearray()

    def late(connection: socket.socket) -> None:
        reads.wait(10)
        while data := connection.recv(65536):
            came.extend(data)

    with upgraded(late) as talk:
        taken = talk.press(repeat(BytesMessage(message)), pause_s=0.1, longest_s=10)
        reads.set()
        talk.send(TextMessage("and on"))
    server = Connection(ConnectionType.SERVER)
    server.receive_data(bytes(came))
    whole = [event.data for event in server.events() if getattr(event, "message_finished", False)]
    # One was under way.
    assert len(whole) == taken.messages + 2
    assert whole[-1] == "and on"
    assert not taken.ended
    frame = 10 + 4 + len(message)
    assert taken.messages * frame <= taken.bytes < (taken.messages + 1) * frame


def test_a_server_that_takes_all_is_sent_all_there_is_or_for_so_long() -> None:
    def reading(connection: socket.socket) -> None:
        while connection.recv(1 << 20):
            pass

    with upgraded(reading) as talk:
        taken = talk.press([TextMessage("x")] * 3, pause_s=5, longest_s=5)
        assert taken == (3, 21, False)
        assert talk.press(repeat(TextMessage("x")), pause_s=5, longest_s=0.02).messages > 0


def test_a_server_that_ends_the_connection_takes_no_more() -> None:
    def rude(connection: socket.socket) -> None:
        connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with upgraded(rude) as talk:
        taken = talk.press(repeat(TextMessage("x")), pause_s=5, longest_s=5)
        assert taken.ended
        assert talk.receive() is None
