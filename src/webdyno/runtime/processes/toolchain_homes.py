"""Where toolchains and their managers are: what builds, servers and services get to find them.

The rule: a variable that names where programs or their packages are, or which version a manager
starts, goes to all of them. Servers have a home of their own, so a manager that is in its usual
place in the user's home, and that no variable names, is named for them.
"""

from __future__ import annotations

import fnmatch
import os
from pathlib import Path

HOMES = {
    "ASDF_DATA_DIR": ".asdf",
    "BUN_INSTALL": ".bun",
    "CARGO_HOME": ".cargo",
    "FNM_DIR": ".local/share/fnm",
    "GOENV_ROOT": ".goenv",
    "JENV_ROOT": ".jenv",
    "MISE_CONFIG_DIR": ".config/mise",
    "MISE_DATA_DIR": ".local/share/mise",
    "MISE_STATE_DIR": ".local/state/mise",
    "NODENV_ROOT": ".nodenv",
    "NVM_DIR": ".nvm",
    "PHPENV_ROOT": ".phpenv",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "RUSTUP_HOME": ".rustup",
    "SDKMAN_DIR": ".sdkman",
    "VOLTA_HOME": ".volta",
}
"""By the variable that names it, the usual place of a toolchain or its manager below the home.

Not .NET's: its programs look into `~/.dotnet` only if DOTNET_ROOT names it, and then nowhere else.
The command `dotnet` makes that folder wherever it is installed itself, with no runtime in it.
"""

TOOLCHAINS = (
    "PATH", "LD_LIBRARY_PATH", *HOMES,
    "ASDF_*", "DOTNET_ROOT*", "FNM_*", "GEM_HOME", "GEM_PATH", "GOENV_*", "GOROOT", "GRADLE_HOME",
    "JAVA_HOME", "JENV_*", "M2_HOME", "MAVEN_HOME", "MISE_*", "NODENV_*", "NVM_*", "PHPENV_*",
    "PYENV_*", "RBENV_*", "RUSTUP_*", "SDKMAN_*", "SWIFTLY_*", "VOLTA_*",
)  # fmt: skip
"""Patterns of the variables that tell it."""

_SECRET = ("*_KEY", "*_PASSWORD", "*_SECRET", "*_TOKEN")
"""What a manager itself may need to fetch something; nothing that it starts does."""


def locates(name: str) -> bool:
    """Whether the variable tells where a toolchain or its manager is, or which version it
    starts."""
    return is_among(name, TOOLCHAINS) and not is_among(name, _SECRET)


def is_among(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a variable's name is one of `patterns`, in which `*` stands for any letters."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def toolchain_homes() -> dict[str, str]:
    """What of this process's environment locates toolchains, and the managers that are in their
    usual places, for a program whose home is another one."""
    home = Path(os.path.expanduser("~"))
    usual = {name: home / below for name, below in HOMES.items()}
    found = {name: str(place) for name, place in usual.items() if place.is_dir()}
    return {**found, **{name: value for name, value in os.environ.items() if locates(name)}}
