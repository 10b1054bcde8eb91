import random

import falcon

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 10_000
READ = "SELECT id, randomnumber FROM world WHERE id = %s"

database = connect()


class Worlds:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        wanted = wanted_rows(req.get_param("n", default=""))
        drawn = [random.randint(1, ROWS) for _ in range(wanted)]
        with database.connection() as connection, connection.pipeline():
            cursors = [connection.execute(READ, [id]) for id in drawn]
            rows = [cursor.fetchone() for cursor in cursors]
        resp.media = [{"id": id, "randomNumber": held} for id, held in rows]


app = falcon.App()
app.add_route("/queries", Worlds())
