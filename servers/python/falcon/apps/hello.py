import falcon


class Hello:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "Hello World"


app = falcon.App()
app.add_route("/hello", Hello())
