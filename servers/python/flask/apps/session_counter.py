import json
import os
from uuid import uuid4

from flask import Flask, Response, session

from apps.database import connect

app = Flask(__name__, static_folder=None)
app.secret_key = os.environ["WEBDYNO_SECRET"]
database = connect()


@app.get("/")
def visit() -> Response:
    # Flask's own session is the signed cookie; it holds the id alone.
    uid = session.setdefault("uid", uuid4().hex)
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
    return Response(f"Count is {data['count']}", mimetype="text/plain")
