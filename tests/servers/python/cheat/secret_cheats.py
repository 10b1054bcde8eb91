"""Servers that leave `WEBDYNO_SECRET` unread, or make too little of it, in `GET /`'s cookie."""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

from honest import Sessions
from tiny import Answer, Request


class Keyed(Sessions):
    """Signs with a key of its own."""

    key = b"a secret of my own"

    def signed(self, value: str) -> str:
        return f"{value}.{hmac.new(self.key, value.encode(), 'sha256').hexdigest()}"


class DrawnAtStart(Keyed):
    """Draws its key when it starts: no cookie outlasts it."""

    key = secrets.token_bytes(32)


class FromTheBuild(Keyed):
    """The key is what stood in the environment when it was first there, as in a build."""

    def __init__(self) -> None:
        super().__init__()
        kept = Path(os.environ["WEBDYNO_SQLITE"]).with_name("built.key")
        if not kept.exists():
            kept.write_text(os.environ["WEBDYNO_SECRET"])
        self.key = kept.read_bytes()


class LengthOfTheSecret(Keyed):
    """The variable has to be there, and any value will do."""

    key = str(len(os.environ.get("WEBDYNO_SECRET", ""))).encode()


class TokenInMemory(Sessions):
    """A random token for each session, known to this process alone."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: dict[str, str] = {}

    def signed(self, value: str) -> str:
        token = secrets.token_urlsafe(32)
        self.tokens[token] = value
        return token

    def known(self, cookie: str) -> str | None:
        return self.tokens.get(cookie)


class TokenInTable(Sessions):
    """The same, in a table: nothing is signed, and any start of it knows them all."""

    def __init__(self) -> None:
        super().__init__()
        self.database.execute("CREATE TABLE IF NOT EXISTS tokens (token TEXT, uid TEXT)")

    def signed(self, value: str) -> str:
        token = secrets.token_urlsafe(32)
        self.database.execute("INSERT INTO tokens VALUES (?, ?)", [token, value])
        return token

    def known(self, cookie: str) -> str | None:
        select = "SELECT uid FROM tokens WHERE token = ?"
        row = self.database.execute(select, [cookie]).fetchone()
        return str(row[0]) if row else None


class SecondStartIsHonest(Keyed):
    """Sees that it was started before, and heeds the secret then alone."""

    def __init__(self) -> None:
        super().__init__()
        seen = Path(os.environ["WEBDYNO_SQLITE"]).with_name("seen")
        self.first = not seen.exists()
        seen.touch()

    def answer(self, request: Request) -> Answer:
        self.key = Keyed.key if self.first else os.environ["WEBDYNO_SECRET"].encode()
        return super().answer(request)


CHEATS = {
    "constant-secret": Keyed,
    "secret-drawn": DrawnAtStart,
    "secret-from-the-build": FromTheBuild,
    "length-of-the-secret": LengthOfTheSecret,
    "token-in-memory": TokenInMemory,
    "token-in-table": TokenInTable,
    "honest-when-started-again": SecondStartIsHonest,
}
