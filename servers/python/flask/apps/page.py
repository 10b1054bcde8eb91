from flask import Flask, render_template
from psycopg.rows import dict_row

from apps.database import connect

app = Flask(__name__, static_folder=None)
database = connect()


@app.get("/page")
def page() -> str:
    with database.connection() as connection:
        rows = connection.cursor(row_factory=dict_row)
        rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
        articles = rows.fetchall()
    return render_template("page.html", articles=articles)
