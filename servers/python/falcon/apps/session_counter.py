import json
import os
from uuid import uuid4

import falcon
from itsdangerous import BadSignature, Signer

from apps.database import connect

COOKIE = "session"

database = connect()
signer = Signer(os.environ["WEBDYNO_SECRET"])


def session_id(req: falcon.Request) -> str | None:
    """The id in the request's cookie; none without one, or where its signature is wrong."""
    try:
        return signer.unsign(req.cookies.get(COOKIE, "")).decode()
    except (BadSignature, UnicodeError):
        return None


class Visit:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        uid = session_id(req)
        if uid is None:
            uid = uuid4().hex
            # Secure by default: browsers would send it over HTTPS only.
            resp.set_cookie(COOKIE, signer.sign(uid).decode(), path="/", secure=False)
        with database.connection() as connection:
            select = "SELECT data FROM usersessions WHERE uid = %s"
            row = connection.execute(select, [uid]).fetchone()
            if row is None:
                data = {"count": 1}
                insert = "INSERT INTO usersessions (uid, data) VALUES (%s, %s)"
                connection.execute(insert, [uid, json.dumps(data)])
            else:
                data = json.loads(row[0])
                data["count"] += 1
                update = "UPDATE usersessions SET data = %s WHERE uid = %s"
                connection.execute(update, [json.dumps(data), uid])
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = f"Count is {data['count']}"


app = falcon.App()
app.add_route("/", Visit())
