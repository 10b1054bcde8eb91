"""Text of strangers, such as a server's log or a manifest's keys, made fit to be shown.

A terminal obeys what it is sent: colours, titles, even keys that are typed for the user. Nothing
that a program under test has said is shown without having gone through here.
"""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL
)
_C1_SEQUENCES = re.compile(r"\x9b[0-9;?]*[ -/]*[@-~]")
# C0 and C1 controls, marks that turn the direction of writing, and halves of surrogates.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    """`text` without what a terminal would obey; line breaks and tabs stay."""
    text = text.replace("\r\n", "\n")
    return _CONTROLS.sub("", _C1_SEQUENCES.sub("", _ESCAPES.sub("", text)))


def one_line(text: str) -> str:
    """`printable` on one line: line breaks and tabs become spaces."""
    return " ".join(printable(text).split())


_CODE = re.compile(r"(`[^`]*`)")
_EMPHASIS = re.compile(r"\*|(?<![^\W_])_|_(?![^\W_])")
"""What would begin or end an emphasis, as in `items[*].id` and `__main__`; not in `a_name`."""
_MENTION = re.compile(r"(?<!\w)@(?=\w)")


def markdown_cell(text: str) -> str:
    """Text as Markdown shows it, in a table or out of one, where it is no markup and mentions
    nobody (`@scope/package`); what stands in backticks is code."""
    parts = _CODE.split(text.replace("\n", " "))
    return "".join(
        one.replace("|", "\\|") if place % 2 else _as_text(one) for place, one in enumerate(parts)
    )


def without_mentions(text: str) -> str:
    """`text` in which an `@name` tells nobody, where Markdown is shown beside its users."""
    return _MENTION.sub("@\u2060", text)


def _as_text(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    text = _EMPHASIS.sub(r"\\\g<0>", text.replace("|", "\\|").replace("](", "]\\("))
    return without_mentions(text)
