"""Honest: `queries`, `cached`, `updates` and `fortunes`, on one connection to PostgreSQL."""

from __future__ import annotations

import json
import os
import random
import time
from html import escape

from honest import Hello
from postgres import Database
from tiny import NOT_FOUND, Answer, Request

ROWS, MOST = 10_000, 500
Row = list[int]


def number(request: Request) -> int:
    """How many rows are asked for, clamped."""
    text = request.query.get("n", [""])[0]
    given = int(text) if text.isascii() and text.isdecimal() else 1
    return max(1, min(given, MOST))


class Queries(Hello):
    path = "/queries"

    def __init__(self) -> None:
        self.database = Database()

    def answer(self, request: Request) -> Answer:
        rows = [self.row(id, request) for id in self.draw(number(request), request)]
        found = [{"id": id, "randomNumber": held} for id, held in rows]
        return Answer(json.dumps(found), "application/json")

    def draw(self, number: int, request: Request) -> list[int]:
        return [random.randint(1, ROWS) for _ in range(number)]

    def row(self, id: int, request: Request) -> Row:
        return self.read(id)

    def read(self, id: int) -> Row:
        [[key, held]] = self.database.rows(f"SELECT id, randomnumber FROM world WHERE id = {id}")
        return [int(key), int(held)]


class Cached(Queries):
    """Keeps each row for a time."""

    path = "/cached"
    rows = 100

    def __init__(self) -> None:
        super().__init__()
        self.ttl_s = int(os.environ["WEBDYNO_TTL_MS"]) / 1000
        self.kept: dict[int, tuple[float, Row]] = {}

    def draw(self, number: int, request: Request) -> list[int]:
        return [random.randint(1, self.rows) for _ in range(number)]

    def row(self, id: int, request: Request) -> Row:
        now = time.monotonic()
        until, row = self.kept.get(id, (now, []))
        if now >= until:
            row = self.read(id)
            self.kept[id] = now + self.ttl(request), row
        return row

    def ttl(self, request: Request) -> float:
        return self.ttl_s


class Updates(Hello):
    path = "/updates"

    def __init__(self) -> None:
        self.database = Database()

    def __call__(self, request: Request) -> Answer:
        return super().__call__(request) if request.method == "POST" else NOT_FOUND

    def answer(self, request: Request) -> Answer:
        return self.told(self.count(self.draw(number(request), request), request))

    def told(self, rows: list[Row]) -> Answer:
        found = [{"id": id, "quantity": quantity} for id, quantity in rows]
        return Answer(json.dumps(found), "application/json")

    def draw(self, number: int, request: Request) -> list[int]:
        return sorted(random.sample(range(1, ROWS + 1), number))

    def count(self, ids: list[int], request: Request) -> list[Row]:
        self.database.rows("BEGIN")
        rows = [[id, self.read(id, " FOR UPDATE") + 1] for id in ids]
        for id, quantity in rows:
            self.write(id, quantity)
        self.database.rows("COMMIT")
        return rows

    def read(self, id: int, lock: str = "") -> int:
        [[held]] = self.database.rows(f"SELECT quantity FROM stock WHERE id = {id}{lock}")
        return int(held)

    def write(self, id: int, quantity: int) -> None:
        self.database.rows(f"UPDATE stock SET quantity = {quantity} WHERE id = {id}")


class Fortunes(Hello):
    path = "/fortunes"

    def __init__(self) -> None:
        self.database = Database()

    def answer(self, request: Request) -> Answer:
        added = request.query.get("added", [""])[0]
        if not added:
            return Answer("no text was added", status=400)
        return Answer(self.page(added, request).encode(), "text/html; charset=utf-8")

    def page(self, added: str, request: Request) -> str:
        return self.render(self.ordered([*self.rows(), ["0", added]]))

    def rows(self) -> list[list[str]]:
        return self.database.rows("SELECT id, message FROM fortune")

    def ordered(self, rows: list[list[str]]) -> list[list[str]]:
        return sorted(rows, key=lambda row: row[1])

    def render(self, rows: list[list[str]]) -> str:
        lines = "\n".join(
            f"<tr><td>{id}</td><td>{self.escape(message)}</td></tr>" for id, message in rows
        )
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
            "<title>Fortunes</title></head>\n<body>\n<table>\n"
            f"<tr><th>id</th><th>message</th></tr>\n{lines}\n</table>\n</body>\n</html>\n"
        )

    def escape(self, text: str) -> str:
        return escape(text)


HONEST = {"queries": Queries, "cached": Cached, "updates": Updates, "fortunes": Fortunes}
