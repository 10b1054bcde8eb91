import falcon
from psycopg.rows import dict_row

from apps.application import answer_page, template
from apps.database import connect

database = connect()
page = template("page.html")


class Page:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        with database.connection() as connection:
            rows = connection.cursor(row_factory=dict_row)
            rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
            articles = rows.fetchall()
        answer_page(resp, page, articles=articles)


app = falcon.App()
app.add_route("/page", Page())
