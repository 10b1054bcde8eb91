import os
import re
from pathlib import Path

from fastapi import FastAPI, HTTPException
from fastapi.responses import PlainTextResponse

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])
app = FastAPI()


# Not async: FastAPI runs it in its thread pool, because reading and hashing would hold up every
# connection of the event loop.
@app.get("/benchmark", response_class=PlainTextResponse)
def benchmark(n: str = "") -> str:
    # As a number, FastAPI would answer 422 where 400 is asked for, and take "+5" for 5.
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        raise HTTPException(400, "n must be an integer from 1 to 100000")
    return digest_chain(file.read_bytes(), int(n))
