import random

from flask import Flask, request

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 10_000
LOCK = "SELECT quantity FROM stock WHERE id = %s FOR UPDATE"
WRITE = """
    UPDATE stock SET quantity = counted.quantity
    FROM unnest(%s::int[], %s::int[]) AS counted (id, quantity) WHERE stock.id = counted.id
"""

app = Flask(__name__, static_folder=None)
database = connect()


@app.post("/updates")
def updates() -> list[dict[str, int]]:
    # Rows that are always locked in the same order cannot make transactions wait for each other.
    ids = sorted(random.sample(range(1, ROWS + 1), wanted_rows(request.args.get("n", ""))))
    with database.connection() as connection, connection.transaction():
        with connection.pipeline():
            cursors = [connection.execute(LOCK, [id]) for id in ids]
            quantities = [cursor.fetchone()[0] + 1 for cursor in cursors]
        connection.execute(WRITE, [ids, quantities])
    return [{"id": id, "quantity": held} for id, held in zip(ids, quantities, strict=True)]
