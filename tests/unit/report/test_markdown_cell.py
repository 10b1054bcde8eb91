"""What strangers said, as Markdown shows it."""

from __future__ import annotations

import pytest

from webdyno.printable import markdown_cell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No module named '__main__'", "No module named '\\_\\_main\\_\\_'"),
        ("a_name and _one_", "a_name and \\_one\\_"),
        ("items[*].id, [*].no", "items[\\*].id, [\\*].no"),
        # Of a package or a person: nobody is to be told.
        ("404 '@acme/shared@1.0.0', a@b.example", "404 '@\u2060acme/shared@1.0.0', a@b.example"),
        ("[a](https://b.example) ![c](d)", "[a]\\(https://b.example) ![c]\\(d)"),
        ("by 4.6% [3.1, 6.2] (worse)", "by 4.6% [3.1, 6.2] (worse)"),
        # The two differ, and have to look it.
        ("&amp; in A, & in B", "&amp;amp; in A, &amp; in B"),
        (r'"\"" in A', r'"\\"" in A'),
        ("1|2 <b>\nnext", "1\\|2 &lt;b> next"),
        ("run `a|b __c__ @d & <e>` of @f", "run `a\\|b __c__ @d & <e>` of @\u2060f"),
    ],
)
def test_text_stays_text(text: str, shown: str) -> None:
    assert markdown_cell(text) == shown
