import os
import random
from threading import Lock

import falcon
from cachetools import TTLCache, cached

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 100
READ = "SELECT id, randomnumber FROM world WHERE id = %s"

database = connect()
kept_s = int(os.environ.get("WEBDYNO_TTL_MS", "500")) / 1000


@cached(TTLCache(maxsize=ROWS, ttl=kept_s), lock=Lock())
def world(id: int) -> dict[str, int]:
    with database.connection() as connection:
        row = connection.execute(READ, [id]).fetchone()
    return {"id": row[0], "randomNumber": row[1]}


class Worlds:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        wanted = wanted_rows(req.get_param("n", default=""))
        resp.media = [world(id) for id in random.choices(range(1, ROWS + 1), k=wanted)]


app = falcon.App()
app.add_route("/cached", Worlds())
