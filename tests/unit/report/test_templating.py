"""What the templates of the reports do with names."""

from __future__ import annotations

import pytest

from webdyno.report.templating import breakable


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("go/gin", "go/<wbr>gin"),
        ("python/django@startproject", "python/<wbr>django<wbr>@startproject"),
        ("python/starlette (control)", "python/<wbr>starlette (control)"),
        ("shop", "shop"),
        ("a<b/c", "a&lt;b/<wbr>c"),
    ],
)
def test_a_long_name_breaks_between_its_parts(name: str, html: str) -> None:
    assert breakable(name) == html
