import re
import time
from collections.abc import Iterator

import falcon

BYTES = 4096
MOST = 65_536


def pieces(count: int, tag: str) -> Iterator[bytes]:
    for number in range(count):
        head = f"{number:010} {tag} {time.time_ns() // 1000:016} "
        yield head.encode().ljust(BYTES - 1, b".") + b"\n"


class Stream:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        n = req.get_param("n", default="")
        tag = req.get_param("tag", default="")
        count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
        if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
            raise falcon.HTTPBadRequest(description=f"n must be 1 to {MOST}, tag have 18 digits")
        resp.content_type = falcon.MEDIA_TEXT
        resp.stream = pieces(count, tag)


app = falcon.App()
app.add_route("/stream", Stream())
