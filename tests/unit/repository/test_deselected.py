"""Test files that are not imported where none of their tests would run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.deselected import is_deselected

ONE = "import pytest\n\npytestmark = pytest.mark.slow\n"
SEVERAL = """
pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.skipif(not there(), reason="not here"),
]
"""


@pytest.mark.parametrize(
    ("text", "wanted", "left_out"),
    [
        (ONE, "not slow", True),
        (ONE, "not long and not slow", True),
        (ONE, "not slower", False),
        (ONE, "slow", False),
        (ONE, "", False),
        # What else would have to hold is left to pytest.
        (ONE, "not slow or long", False),
        (ONE, "not long and (long or not slow and concurrent)", False),
        (SEVERAL, "not concurrent and not long", True),
        (SEVERAL, "concurrent and not long", False),
        # Of some tests alone, or of none.
        ("@pytest.mark.slow\ndef test_it() -> None: ...\n", "not slow", False),
        ("pytestmark = pytest.mark.skipif(slow, reason='pytest.mark.slow')\n", "not slow", False),
    ],
)
def test_a_file_is_left_out_where_all_its_tests_are(
    text: str, wanted: str, left_out: bool, tmp_path: Path
) -> None:
    path = tmp_path / "test_some.py"
    path.write_text(text)
    assert is_deselected(path, wanted) is left_out
