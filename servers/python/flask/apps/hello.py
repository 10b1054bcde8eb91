from flask import Flask, Response

app = Flask(__name__, static_folder=None)


@app.get("/hello")
def hello() -> Response:
    return Response("Hello World", mimetype="text/plain")
