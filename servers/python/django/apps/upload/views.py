import hashlib
from typing import IO

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

PIECE_BYTES = 64 * 1024


@csrf_exempt
@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    sha256, length = hashlib.sha256(), 0
    body = body_of(request)
    while piece := body.read(PIECE_BYTES):
        sha256.update(piece)
        length += len(piece)
    return HttpResponse(f"sha256:{sha256.hexdigest()} {length}", content_type="text/plain")


def body_of(request: HttpRequest) -> HttpRequest | IO[bytes]:
    """What the body is read from.

    Under WSGI, Django takes a body without a length for an empty one; gunicorn knows where it ends.
    """
    if isinstance(request, WSGIRequest) and "CONTENT_LENGTH" not in request.environ:
        return request.environ["wsgi.input"]
    return request
