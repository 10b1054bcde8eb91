import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from apps.database import OneConnection, pool

database = OneConnection() if os.environ.get("CONNECTIONS") == "1" else pool()


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with database:
        yield


async def visit(request: Request) -> PlainTextResponse:
    # Starlette's session is the signed cookie; it holds the id alone.
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
    return PlainTextResponse(f"Count is {data['count']}")


app = Starlette(
    routes=[Route("/", visit)],
    middleware=[Middleware(SessionMiddleware, secret_key=os.environ["WEBDYNO_SECRET"])],
    lifespan=lifespan,
)
