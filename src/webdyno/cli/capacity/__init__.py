"""`webdyno capacity`: the machines that a day's traffic needs, and what they cost."""

from webdyno.cli.capacity.command import capacity

__all__ = ["capacity"]
