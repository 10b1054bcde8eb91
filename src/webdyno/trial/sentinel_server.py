"""The sentinel's server: `python sentinel_server.py PORT`. Standard library only, never changed.

One thread, one fixed piece of work a request, one fixed answer: what varies is the machine. It
must stay as it is, or runs could no longer be compared by it.
"""

import hashlib
import select
import socket
import sys

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
PIECE = bytes(8192)


def main() -> None:
    """Serve until killed."""
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=256)
    listener.setblocking(False)
    poll = select.epoll()
    poll.register(listener.fileno(), select.EPOLLIN)
    open_: dict[int, socket.socket] = {}
    unread: dict[int, bytes] = {}
    while True:
        for number, _events in poll.poll():
            if number == listener.fileno():
                connection, _address = listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                open_[connection.fileno()] = connection
                unread[connection.fileno()] = b""
                poll.register(connection.fileno(), select.EPOLLIN)
                continue
            try:
                data = open_[number].recv(65536)
                unread[number] += data
                asked = unread[number].count(b"\r\n\r\n")
                if asked:
                    unread[number] = unread[number].rpartition(b"\r\n\r\n")[2]
                    for _ in range(asked):
                        hashlib.sha256(PIECE).digest()
                    open_[number].sendall(ANSWER * asked)
            except OSError:
                data = b""
            if not data:
                poll.unregister(number)
                open_.pop(number).close()
                del unread[number]


if __name__ == "__main__":
    main()
