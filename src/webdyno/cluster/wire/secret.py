"""The secret of a cluster: who knows it may give its machines work. It stays in a file."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from webdyno.errors import UserError

VARIABLE = "WEBDYNO_MACHINES_SECRET"
"""The environment variable that names the file."""


def make(path: Path) -> None:
    """Write a new secret to `path`, which only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))


def read(path: Path) -> str:
    """The secret in `path`. Raises `UserError` where there is none, or others can read it."""
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise UserError(
            f"{path}: no secret file; copy the one that `webdyno machines start` wrote on the "
            f"first machine, and name it with --secret FILE or ${VARIABLE}"
        ) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UserError(f"{path}: others can read this secret; run: chmod 600 {path}")
    if len(text) < 32:
        raise UserError(f"{path}: not a secret of `webdyno machines start`; copy the file again")
    return text


def proof(secret: str, *parts: str) -> str:
    """Shows that whoever said this knows the secret, without telling it."""
    message = _bytes("\0".join(parts))
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def holds(secret: str, presented: str, *parts: str) -> bool:
    """Whether `presented`, which may be any text, is the proof for what was said."""
    return hmac.compare_digest(_bytes(proof(secret, *parts)), _bytes(presented))


def _bytes(text: str) -> bytes:
    """Of a text as JSON may hold it, halves of characters included."""
    return text.encode("utf-8", "surrogatepass")


def chosen(file: Path | None) -> Path:
    """The file as given, or as the environment names it. Raises `UserError`."""
    if file is None and not os.environ.get(VARIABLE):
        raise UserError(
            f"name the secret's file with --secret FILE or ${VARIABLE}; `webdyno machines start` "
            "says where it is on the first machine"
        )
    path = (file or Path(os.environ[VARIABLE])).absolute()
    read(path)
    return path
