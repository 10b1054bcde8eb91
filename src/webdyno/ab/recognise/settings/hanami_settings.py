"""The settings of a Hanami application, each of which it reads from a variable of its name."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import says, text_of

_SETTING = re.compile(
    r"^[ \t]*setting[ (]+:(\w+)\b((?:[^\n#]*,[ \t]*\n)*[^\n#]*)", re.MULTILINE
)  # fmt: skip
"""The name of a setting, and its options, which may go on after a comma."""

_CHECKS = re.compile(r"\bconstructor\b")
_MAY_LACK = re.compile(
    r"\bdefault:|:default\s*=>|\.(?:default|fallback|optional)\b|\bNil\b|->|proc"
)
"""A default, a type that nothing fits as well, or a block of Ruby, which may take it."""


def hanami_settings(folder: Path) -> dict[str, bool]:
    """The variables that a Hanami application in `folder` reads, each with whether it is known not
    to start without it; none where it is no such application."""
    if not says(folder / "Gemfile", r"^\s*gem[ (]+[\"']hanami[\"']"):
        return {}
    needed_by_name: dict[str, bool] = {}
    for place in ("config/settings.rb", "slices/*/config/settings.rb"):
        for path in sorted(folder.glob(place)):
            for name, options in _SETTING.findall(text_of(path)):
                # Without a constructor, one that is not set is nil.
                needed = bool(_CHECKS.search(options)) and not _MAY_LACK.search(options)
                needed_by_name[name.upper()] = needed_by_name.get(name.upper(), False) or needed
    return needed_by_name
