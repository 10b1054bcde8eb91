"""Published figures put to the test: against arithmetic, and against what work costs."""

from webdyno.claims.examine import examine
from webdyno.claims.finding import Finding
from webdyno.claims.footing import concluded

__all__ = ["Finding", "concluded", "examine"]
