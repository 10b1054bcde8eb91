"""Curves of servers that warm up: recorded, judged, and counted by error (see `__main__`)."""
