import random

from flask import Flask, request

from apps.database import connect
from apps.parameters import wanted_rows

ROWS = 10_000
READ = "SELECT id, randomnumber FROM world WHERE id = %s"

app = Flask(__name__, static_folder=None)
database = connect()


@app.get("/queries")
def queries() -> list[dict[str, int]]:
    drawn = [random.randint(1, ROWS) for _ in range(wanted_rows(request.args.get("n", "")))]
    with database.connection() as connection, connection.pipeline():
        cursors = [connection.execute(READ, [id]) for id in drawn]
        rows = [cursor.fetchone() for cursor in cursors]
    return [{"id": id, "randomNumber": held} for id, held in rows]
