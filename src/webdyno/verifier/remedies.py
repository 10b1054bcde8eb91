"""What mends a server that failed a claim, where several scenarios have the same to say."""

from __future__ import annotations

AUTOCOMMIT = "read in autocommit mode, or end the transaction with each request"

CHUNKED = "answer by HTTP/1.1 with Transfer-Encoding: chunked"

DRAWN_ANEW = (
    "draw anew for each request, from a random generator that each process and each thread seeds by"
    " itself"
)

READ_EACH_ROW = "read each row by a SELECT of its own in every request; keep no rows in the process"

READ_ALL_ROWS = "read all rows by a SELECT in every request; keep neither rows nor pages"


def streamed(part: str) -> str:
    """For an answer that has a Content-Length, although each `part` is to be sent as it is made."""
    return f"send the {part}s as a stream, instead of one text that is made first"
