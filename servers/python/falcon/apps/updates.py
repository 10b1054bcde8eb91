import random

import falcon

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 10_000
LOCK = "SELECT quantity FROM stock WHERE id = %s FOR UPDATE"
WRITE = """
    UPDATE stock SET quantity = counted.quantity
    FROM unnest(%s::int[], %s::int[]) AS counted (id, quantity) WHERE stock.id = counted.id
"""

database = connect()


class Items:
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        wanted = wanted_rows(req.get_param("n", default=""))
        # Rows always locked in the same order cannot make transactions wait for each other.
        ids = sorted(random.sample(range(1, ROWS + 1), wanted))
        with database.connection() as connection, connection.transaction():
            with connection.pipeline():
                cursors = [connection.execute(LOCK, [id]) for id in ids]
                quantities = [cursor.fetchone()[0] + 1 for cursor in cursors]
            connection.execute(WRITE, [ids, quantities])
        counted = zip(ids, quantities, strict=True)
        resp.media = [{"id": id, "quantity": quantity} for id, quantity in counted]


app = falcon.App()
app.add_route("/updates", Items())
