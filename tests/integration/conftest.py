"""What integration tests share: runs that look at the machine's noise for a moment only."""

from support.brief_noise import brief_noise

__all__ = ["brief_noise"]
