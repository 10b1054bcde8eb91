import os
import re
from pathlib import Path

from litestar import Litestar, MediaType, get
from litestar.exceptions import ClientException
from litestar.params import FromQuery

from apps import logs
from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])


# In Litestar's thread pool, because reading and hashing would hold up every connection of the event
# loop. As a number, n would be refused in another form, and "+5" taken for 5.
@get("/benchmark", media_type=MediaType.TEXT, sync_to_thread=True)
def benchmark(n: FromQuery[str] = "") -> str:
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        raise ClientException("n must be an integer from 1 to 100000")
    return digest_chain(file.read_bytes(), int(n))


app = Litestar([benchmark], logging_config=logs.config, openapi_config=None)
