"""What this process has seen: requests, and middlewares that they passed."""

from collections.abc import Awaitable, Callable
from threading import Lock

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], HttpResponse] | Callable[[HttpRequest], Awaitable[HttpResponse]]

# Threads share the counts: those of views, and under WSGI those of middlewares.
_lock = Lock()
_requests = 0
_passed = 0


@sync_and_async_middleware
def counting(get_response: Handler) -> Handler:
    """Counts a request and passes it on; under ASGI as a coroutine, which needs no thread."""
    if iscoroutinefunction(get_response):

        async def count_async(request: HttpRequest) -> HttpResponse:
            _pass()
            return await get_response(request)

        return count_async

    def count(request: HttpRequest) -> HttpResponse:
        _pass()
        return get_response(request)

    return count


def _pass() -> None:
    global _passed
    with _lock:
        _passed += 1


def receive() -> dict[str, int]:
    """Count a request; what this process has seen, that one included."""
    global _requests
    with _lock:
        _requests += 1
        return {"requests": _requests, "passed": _passed}
