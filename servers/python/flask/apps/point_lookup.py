import os
import random

from flask import Flask, Response, abort, request
from sqlalchemy import URL, create_engine, text

from apps.pool import connections

candidates = os.environ["WEBDYNO_SKUS"].split(",")
select = text("SELECT sku_id FROM purch_sku_master WHERE sku_id = :id")

app = Flask(__name__, static_folder=None)
database = create_engine(
    URL.create(
        "mysql+pymysql",
        host=os.environ["MYSQL_HOST"],
        port=int(os.environ["MYSQL_PORT"]),
        username=os.environ["MYSQL_USER"],
        password=os.environ.get("MYSQL_PASSWORD", ""),
        database=os.environ["MYSQL_DATABASE"],
    ),
    pool_size=connections(),
    max_overflow=0,
    # Without it, a connection sees the table as it was at its first SELECT; there is then nothing
    # to roll back when it returns to the pool.
    isolation_level="AUTOCOMMIT",
    pool_reset_on_return=None,
)


@app.get("/sku")
def sku() -> Response:
    wanted = request.args.get("id")
    if wanted is None:
        wanted = random.choice(candidates)
    with database.connect() as connection:
        found = connection.execute(select, {"id": wanted}).scalar()
    if found is None:
        abort(404)
    return Response(found, mimetype="text/plain")
