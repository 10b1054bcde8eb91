"""What is wrong with a manifest, in one line of our own words: which key, what of it, what to do.

Pydantic finds the faults; nothing that it says of them is shown, since it speaks of Python.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Container, Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from webdyno.catalog.reading.place import ManifestPlace, place_of
from webdyno.catalog.terms.form import words_for
from webdyno.plugins import alternatives

Loc = tuple[int | str, ...]
"""The way to a part of a manifest, through keys and places in lists."""

MOST_SHOWN = 80
"""Characters of a value that a message repeats."""

_TABLE = "must be a table"
_LIST = "must be a list"
_WHOLE = "must be a whole number"
_SAID: dict[str, str] = {
    "string_type": "must be a text",
    "string_unicode": "must be a text in UTF-8",
    "invalid_key": "must be a text",
    "bool_type": "must be true or false",
    "int_type": _WHOLE,
    "int_parsing_size": "has too many digits",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _TABLE,
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "recursion_loop": "contains itself",
}
_BOUNDS: dict[str, tuple[str, str]] = {
    "greater_than": ("must be above", "gt"),
    "greater_than_equal": ("must be at least", "ge"),
    "less_than": ("must be below", "lt"),
    "less_than_equal": ("must be at most", "le"),
}


def _as_it_is(loc: Loc) -> Loc:
    return loc


def first_fault(
    error: ValidationError, model: type[BaseModel], as_written: Callable[[Loc], Loc] = _as_it_is
) -> str:
    """The fault to mend first, of those that `model` found.

    `as_written` gives the way to it in what was read, where the model looked at something else.
    """
    faults = error.errors(include_url=False)
    # An unknown key is often a misspelt required one: tell of it first, it explains the other.
    fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    loc = as_written(fault["loc"])
    if fault["type"] == "extra_forbidden":
        return _unknown(place_of(model, loc[:-1]), str(loc[-1]), place_of(model, ()).keys())
    place = place_of(model, loc)
    if fault["type"] == "missing":
        return f"missing {place.named()}; add it"
    reason = _reason_of(dict(fault), place)
    if not (named := place.named()):
        return reason
    return f"{named}: {reason}{_shown_value(fault['input'], reason)}"


def _unknown(place: ManifestPlace, name: str, at_the_top: Container[str]) -> str:
    """That the part at `place` has no key called `name`. `at_the_top`: the manifest's own keys."""
    known = place.keys()
    of_kind = f" of kind '{place.kind}'" if place.kind else ""
    remedy = nearest(name, known)
    if not remedy and name in at_the_top:
        # In TOML a key belongs to the table above it, however far above that begins.
        remedy = f"'{name}' is a key of the whole file: write it above the first [table]"
    remedy = remedy or f"known keys: {', '.join(known)}"
    return f"unknown {place.named(name)}{of_kind}; {remedy}"


def nearest(name: str, names: Iterable[str]) -> str:
    """A question for the one of `names` that `name` is likely to mean; empty where none is."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f"did you mean '{close[0]}'?" if close else ""


def _reason_of(fault: dict[str, Any], place: ManifestPlace) -> str:
    """What is wrong with the value at `place`."""
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    value = fault["input"]
    if isinstance(value, float) and not math.isfinite(value):
        return "must be a finite number"
    if kind in _BOUNDS:
        words, name = _BOUNDS[kind]
        return f"{words} {context[name]}"
    if kind in _WORDS:
        return _WORDS[kind](context, place)
    return _SAID.get(kind, _WHOLE if kind.startswith("int_") else "is not a valid value")


def _choices(context: dict[str, Any], _: ManifestPlace) -> str:
    # An empty text stands for a key that is left out.
    return f"must be {either(filter(None, _quoted(context['expected'])))}"


def _other_kind(context: dict[str, Any], _: ManifestPlace) -> str:
    kinds = _quoted(context["expected_tags"])
    name = str(context["tag"])
    remedy = nearest(name, kinds) or f"choose {either(kinds)}"
    return f"kind '{name:.{MOST_SHOWN}}' is not known; {remedy}"


def _no_kind(_: dict[str, Any], place: ManifestPlace) -> str:
    return f"'kind' is missing; choose {either(place.kinds())}"


def _too_short(context: dict[str, Any], _: ManifestPlace) -> str:
    least = context["min_length"]
    return "must not be empty" if least == 1 else f"must have at least {least} entries"


def _too_long(context: dict[str, Any], _: ManifestPlace) -> str:
    return f"must have at most {context['max_length']} entries"


def _text_too_long(context: dict[str, Any], _: ManifestPlace) -> str:
    return f"must have at most {context['max_length']} characters"


def _other_form(context: dict[str, Any], _: ManifestPlace) -> str:
    return words_for(context["pattern"])


_WORDS: dict[str, Callable[[dict[str, Any], ManifestPlace], str]] = {
    "literal_error": _choices,
    "union_tag_invalid": _other_kind,
    "union_tag_not_found": _no_kind,
    "too_short": _too_short,
    "too_long": _too_long,
    "string_too_short": _too_short,
    "string_too_long": _text_too_long,
    "string_pattern_mismatch": _other_form,
}


def _quoted(text: str) -> list[str]:
    return re.findall(r"'([^']*)'", text)


def either(names: Iterable[str]) -> str:
    """`'a', 'b' or 'c'`."""
    return alternatives(f"'{name}'" for name in names)


def _shown_value(value: Any, message: str) -> str:
    """The value as TOML has it, unless it is told already."""
    if isinstance(value, dict | BaseModel):
        shown = "" if _TABLE not in message and message not in _SAID.values() else "a table"
    elif isinstance(value, list | tuple):
        shown = "" if message not in _SAID.values() else "a list"
    elif isinstance(value, bool):
        shown = str(value).lower()
    else:
        shown = "" if value != "" and str(value) in message else f"{value!r:.{MOST_SHOWN}}"
    return f" (got {shown})" if shown else ""
