"""Texts of a certain form: what may stand in a manifest, and the words for what may not."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

_WORDS: dict[str, str] = {}


def form(pattern: str, words: str, max_length: int | None = None) -> StringConstraints:
    """A text that matches `pattern`; where one does not, a message says `words`."""
    _WORDS[pattern] = words
    return StringConstraints(pattern=pattern, max_length=max_length)


def words_for(pattern: str) -> str:
    """What a text must be to match `pattern`."""
    return _WORDS.get(pattern, f"must match the pattern {pattern}")


_NAME_WORDS = "must be a name of a-z, 0-9, '.', '_' and '-' that begins with a letter or digit"

NAME = r"^[a-z0-9][a-z0-9._-]*$"
LONGEST_NAME = 100
Name = Annotated[str, form(NAME, _NAME_WORDS, max_length=LONGEST_NAME)]
Text = Annotated[str, form(r"^[^\x00]*$", "must not hold a NUL character")]
"""What the kernel takes as an argument or as the value of a variable."""
VariableName = Annotated[
    str, form(r"^[^\x00=]+$", "must be the name of a variable, which is not empty and has no '='")
]
VariableNameOrNone = Annotated[
    str, form(r"^[^\x00=]*$", "must be empty or the name of a variable, which has no '='")
]
Method = Annotated[str, form(r"^[A-Z]+$", "must be a method in capital letters, such as GET")]
UrlPath = Annotated[
    str, form(r"^/[^\s\x00-\x1f]*$", "must be a path that begins with '/' and has no spaces")
]
UrlPathOrNone = Annotated[
    str,
    form(r"^(/[^\s\x00-\x1f]*)?$", "must be empty or a path that begins with '/', without spaces"),
]
HeaderName = Annotated[
    str, form(r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", "must be the name of a header, such as Accept")
]
HeaderValue = Annotated[
    str, form(r"^[^\x00-\x08\x0a-\x1f\x7f]*$", "must be the value of a header, in one line")
]
Repository = Annotated[
    str,
    form(
        r"^(https?|ssh|git|file)://[^\s\x00-\x1f-][^\s\x00-\x1f]*$",
        "must be the address of a repository, such as https://example.org/project.git",
    ),
]
"""An address, and nothing that git would take for an option or for a command to run."""
