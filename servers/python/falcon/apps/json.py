import random

import falcon


class Numbers:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}


app = falcon.App()
app.add_route("/json", Numbers())
