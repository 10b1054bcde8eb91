import os
import random

import falcon
from sqlalchemy import URL, create_engine, text

from apps.pool import connections

candidates = os.environ["WEBDYNO_SKUS"].split(",")
select = text("SELECT sku_id FROM purch_sku_master WHERE sku_id = :id")

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


class Sku:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        wanted = req.get_param("id")
        if wanted is None:
            wanted = random.choice(candidates)
        with database.connect() as connection:
            found = connection.execute(select, {"id": wanted}).scalar()
        if found is None:
            raise falcon.HTTPNotFound
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = found


app = falcon.App()
app.add_route("/sku", Sku())
