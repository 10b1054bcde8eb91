"""Python: servers are built with the interpreter that runs us."""

import sys

from webdyno.runtime.programs import NUMBER, PROGRAM, Language, Program


def _own() -> tuple[str, str]:
    version = ".".join(map(str, sys.version_info[:3]))
    return getattr(sys, "_base_executable", sys.executable), version


LANGUAGE = Language(
    Program("python", ("--version",), rf"^Python {NUMBER}", "python3-venv", "python", known=_own),
    install=[".venv/bin/pip", "install", "--quiet", "{name}=={version}"],
    # The environments of uv and PDM hold no pip. PDM itself would resolve the others anew.
    install_by={
        "uv": [PROGRAM, "pip", "install", "--quiet", "--python", ".venv", "{name}=={version}"],
        "pdm": [
            "sh",
            "-c",
            '.venv/bin/python -m ensurepip && .venv/bin/python -m pip install --quiet "$1"',
            "pip",
            "{name}=={version}",
        ],
    },
)
