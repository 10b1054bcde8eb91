"""What scenarios read from a request's query."""

MOST = 500


def wanted_rows(n: str) -> int:
    """How many rows the parameter n asks for."""
    return max(1, min(int(n), MOST)) if n.isascii() and n.isdecimal() else 1
