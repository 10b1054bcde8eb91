"""How a comparison of what was with what is ends, and the exit code that says so: the same in `ab`,
`check`, `gate` and `compare`."""

from __future__ import annotations

from typing import Literal

ComparisonOutcome = Literal["no worse", "worse", "not settled"]

EXIT_CODES: dict[ComparisonOutcome, int] = {"no worse": 0, "worse": 1, "not settled": 3}

MARKS: dict[ComparisonOutcome, str] = {"no worse": "✅", "worse": "❌", "not settled": "❔"}
"""What Markdown begins with, so that a glance at a pull request tells."""
