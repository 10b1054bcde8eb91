from flask import Flask, abort, render_template, request

from apps.database import connect

app = Flask(__name__, static_folder=None)
database = connect()


@app.get("/fortunes")
def fortunes() -> str:
    added = request.args.get("added")
    if not added:
        abort(400, "added must be a text")
    with database.connection() as connection:
        rows = connection.execute("SELECT id, message FROM fortune").fetchall()
    rows.append((0, added))
    rows.sort(key=lambda row: row[1])
    return render_template("fortunes.html", fortunes=rows)
