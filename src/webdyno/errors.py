"""Errors that are the user's to mend: shown as one line, exit code 2."""

from __future__ import annotations


class UserError(Exception):
    """Bad input. The message names the file, key or command, and the remedy, in one line."""
