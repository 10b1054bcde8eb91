import hashlib
import os
import re
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

file = Path(os.environ["WEBDYNO_FILE"])


def benchmark(request: HttpRequest) -> HttpResponse:
    n = request.GET.get("n", "")
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        return HttpResponseBadRequest("n must be an integer from 1 to 100000")
    return HttpResponse(digest_chain(file.read_bytes(), int(n)), content_type="text/plain")


def digest_chain(content: bytes, n: int) -> str:
    """The `n`-th digest in hexadecimal.

    The first is that of `content`, each further one that of `content` followed by the digest
    before it.
    """
    digest = b""
    for _ in range(n):
        sha256 = hashlib.sha256(content)
        sha256.update(digest)
        digest = sha256.digest()
    return digest.hex()
