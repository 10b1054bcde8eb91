"""Ruby, whose gems a server may ask for, too."""

import sys
from collections.abc import Sequence

from webdyno.runtime.programs import NUMBER, Language, Program

_NO_PREFIX = ("bundler", "puma", "rake")
"""Gems whose packages Debian does not call `ruby-...`."""

_KEPT = "Gem::Specification.{}.reject {{ |gem| gem.base_dir == Gem.user_dir }}"
"""Without the gems of your home: a server has another."""


def _gems_hint(_version: str, gems: Sequence[str]) -> str:
    if sys.platform == "darwin":
        return f"install it: gem install {' '.join(gems)}"
    packages = (gem if gem in _NO_PREFIX else f"ruby-{gem.replace('_', '-')}" for gem in gems)
    return f"sudo apt install {' '.join(packages)}"


LANGUAGE = Language(
    Program(
        "ruby",
        ("--version",),
        rf"^ruby {NUMBER}",
        "ruby",
        "ruby",
        "ruby-lang.org",
        extensions=("-e", f"puts {_KEPT.format('stubs')}.map(&:name).uniq"),
        extension_versions=(
            "-e",
            f"ARGV.each {{ |name| puts {_KEPT.format('stubs_for(name)')}.map(&:version).max }}",
        ),
        extension_hint=_gems_hint,
    ),
)
