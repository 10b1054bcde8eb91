import falcon

from apps.application import answer_page, template
from apps.database import connect

database = connect()
page = template("fortunes.html")


class Fortunes:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        added = req.get_param("added")
        if not added:
            raise falcon.HTTPMissingParam("added")
        with database.connection() as connection:
            rows = connection.execute("SELECT id, message FROM fortune").fetchall()
        rows.append((0, added))
        rows.sort(key=lambda row: row[1])
        answer_page(resp, page, fortunes=rows)


app = falcon.App()
app.add_route("/fortunes", Fortunes())
