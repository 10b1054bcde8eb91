"""The least of PostgreSQL's protocol: one connection, simple queries, no password."""

from __future__ import annotations

import os
import socket
import struct


class Database:
    """The database that PGHOST, PGPORT, PGUSER and PGDATABASE name; connects at once."""

    def __init__(self) -> None:
        address = os.environ["PGHOST"], int(os.environ["PGPORT"])
        self.socket = socket.create_connection(address)
        names = ("user", os.environ["PGUSER"], "database", os.environ["PGDATABASE"], "")
        start = struct.pack("!I", 3 << 16) + b"".join(name.encode() + b"\0" for name in names)
        self.socket.sendall(struct.pack("!I", len(start) + 4) + start)
        self.stream = self.socket.makefile("rb")
        self._results()

    def rows(self, sql: str) -> list[list[str]]:
        text = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!I", len(text) + 4) + text)
        return self._results()

    def _results(self) -> list[list[str]]:
        rows = []
        while True:
            kind, length = struct.unpack("!cI", self.stream.read(5))
            body = self.stream.read(length - 4)
            if kind == b"Z":
                return rows
            if kind == b"E":
                raise RuntimeError(body.decode())
            if kind == b"D":
                rows.append(_values(body))


def _values(row: bytes) -> list[str]:
    values, at = [], 2
    for _ in range(struct.unpack_from("!H", row)[0]):
        (length,) = struct.unpack_from("!i", row, at)
        at += 4
        values.append(row[at : at + max(length, 0)].decode())
        at += max(length, 0)
    return values
