"""What scenarios read from a request's query."""

from django.http import HttpRequest

MOST = 500


def wanted_rows(request: HttpRequest) -> int:
    """How many rows the request asks for."""
    n = request.GET.get("n", "")
    if not (n.isascii() and n.isdecimal()):
        return 1
    # Python refuses to convert thousands of digits.
    return max(1, min(int(n.lstrip("0")[:4] or "0"), MOST))
