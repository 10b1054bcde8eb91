import hashlib
import json
import os
from uuid import uuid4

import aiohttp_session
from aiohttp import web
from aiohttp_session.cookie_storage import EncryptedCookieStorage

from apps.database import DATABASE, database

routes = web.RouteTableDef()


@routes.get("/")
async def visit(request: web.Request) -> web.Response:
    # aiohttp-session's session is the encrypted cookie; it holds the id alone.
    session = await aiohttp_session.get_session(request)
    if "uid" not in session:
        session["uid"] = uuid4().hex
    uid = session["uid"]
    async with request.app[DATABASE].connection() as connection:
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
    return web.Response(text=f"Count is {data['count']}")


# The cipher's key has 32 bytes, whatever the secret's length.
key = hashlib.sha256(os.environ["WEBDYNO_SECRET"].encode()).digest()

app = web.Application()
aiohttp_session.setup(app, EncryptedCookieStorage(key))
app.cleanup_ctx.append(database)
app.add_routes(routes)
