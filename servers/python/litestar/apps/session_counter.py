import hashlib
import json
import os
from typing import Any
from uuid import uuid4

from litestar import Litestar, MediaType, Request, get
from litestar.exceptions import SerializationException
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig

from apps import logs
from apps.database import database, lifespan


class Sessions(ClientSideSessionBackend):
    """Litestar's own, which answers 500 where the time of expiry in a cookie was tampered with."""

    def load_data(self, data: list[bytes]) -> dict[str, Any]:
        try:
            return super().load_data(data)
        except (KeyError, TypeError, ValueError, SerializationException):
            return {}


class SessionConfig(CookieBackendConfig):
    _backend_class = Sessions


# A key of the length that the cipher asks for, whatever the length of the secret.
key = hashlib.sha256(os.environ["WEBDYNO_SECRET"].encode()).digest()
sessions = SessionConfig(secret=key)


@get("/", media_type=MediaType.TEXT)
async def visit(request: Request) -> str:
    # Litestar's session is the encrypted cookie; it holds the id alone.
    uid = request.session.setdefault("uid", uuid4().hex)
    async with database.connection() as connection:
        select = "SELECT data FROM usersessions WHERE uid = %s"
        row = await (await connection.execute(select, [uid])).fetchone()
        if row is None:
            data = {"count": 1}
            insert = "INSERT INTO usersessions (uid, data) VALUES (%s, %s)"
            await connection.execute(insert, [uid, json.dumps(data)])
        else:
            data = json.loads(row[0])
            data["count"] += 1
            update = "UPDATE usersessions SET data = %s WHERE uid = %s"
            await connection.execute(update, [json.dumps(data), uid])
    return f"Count is {data['count']}"


app = Litestar(
    [visit],
    middleware=[sessions.middleware],
    lifespan=[lifespan],
    logging_config=logs.config,
    openapi_config=None,
)
