import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from starlette.middleware.sessions import SessionMiddleware

from apps.database import pool

database = pool()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)
app.add_middleware(SessionMiddleware, secret_key=os.environ["WEBDYNO_SECRET"])


@app.get("/", response_class=PlainTextResponse)
async def visit(request: Request) -> str:
    # The session is the signed cookie; it holds the id alone.
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
