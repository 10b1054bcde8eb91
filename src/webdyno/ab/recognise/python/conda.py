"""A service in Python whose environment conda makes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from webdyno.ab.recognise.recognised import says, text_of

ENVIRONMENTS = ("environment.yml", "environment.yaml")

_CREATE = {
    "conda": "conda env create --quiet --prefix .venv --file {}",
    "micromamba": "micromamba create --quiet --yes --prefix .venv --file {}",
    "mamba": "mamba env create --quiet --yes --prefix .venv --file {}",
}
"""How each of the programs makes an environment in a folder; mamba comes last, since not all of its
versions know `--yes` here."""


def is_environment(path: Path) -> bool:
    """Whether a file is conda's, which has a common name."""
    return says(path, r"^dependencies:")


def environment_text(path: Path) -> str:
    """What an environment asks for, without its comments and with packages as pip names them."""
    text = re.sub(r"(?:^|(?<=\s))#[^\n]*", "", text_of(path))
    return re.sub(r"^(\s*-\s+)[\"']?(?:[\w-]+::)?", r"\1", text, flags=re.MULTILINE)


def conda_build(manifest: str) -> tuple[tuple[str, ...], str]:
    """What makes the environment in .venv, and what its owner has to say about that."""
    program = next((name for name in _CREATE if shutil.which(name)), "")
    ask = "" if program else (
        f"none of conda, mamba and micromamba, one of which reads {manifest}, is on your PATH; "
        "install one, or name the commands that install its dependencies in .venv"
    )  # fmt: skip
    return (_CREATE[program or "conda"].format(manifest),), ask
