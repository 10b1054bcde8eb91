"""What scenarios read from a request's query."""

from django.http import HttpRequest

MOST = 500


def wanted_rows(request: HttpRequest) -> int:
    """How many rows the request asks for."""
    n = request.GET.get("n", "")
    return max(1, min(int(n), MOST)) if n.isascii() and n.isdecimal() else 1
