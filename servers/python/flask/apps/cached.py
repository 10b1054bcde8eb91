import os
import random
from threading import Lock

from cachetools import TTLCache, cached
from flask import Flask, request

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 100
READ = "SELECT id, randomnumber FROM world WHERE id = %s"

app = Flask(__name__, static_folder=None)
database = connect()
kept_s = int(os.environ.get("WEBDYNO_TTL_MS", "500")) / 1000


@cached(TTLCache(maxsize=ROWS, ttl=kept_s), lock=Lock())
def world(id: int) -> dict[str, int]:
    with database.connection() as connection:
        row = connection.execute(READ, [id]).fetchone()
    return {"id": row[0], "randomNumber": row[1]}


@app.get("/cached")
def worlds() -> list[dict[str, int]]:
    drawn = random.choices(range(1, ROWS + 1), k=wanted_rows(request.args.get("n", "")))
    return [world(id) for id in drawn]
