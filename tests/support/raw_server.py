"""A server by sockets alone: what is said on a connection is the test's business."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """The URL of a server that calls `talk` with each connection, in a thread of its own, and
    closes it afterwards."""

    def talked(peer: socket.socket) -> None:
        with peer:
            talk(peer)

    def accept(server: socket.socket) -> None:
        while True:
            try:
                peer, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=talked, args=(peer,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, args=(server,), daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
