"""Options that were given an empty value, as by a variable that is not set (`--resume "$RUN"`): not
the same as those that were left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webdyno.errors import UserError

_MEAN_SOMETHING = {"body", "message"}
"""Options of which an empty text is a value like any other."""


def refuse_empty(command: Any) -> Any:
    """`command`, which refuses an empty value of its options by their name."""
    for option in command.params:
        if option.param_type_name == "option" and option.name not in _MEAN_SOMETHING:
            option.process_value = _refusing(option, option.process_value)
    return command


def _refusing(option: Any, process: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    # Before it becomes a path, of which an empty one is the working folder.
    def look(context: Any, value: Any) -> Any:
        given = value if isinstance(value, list | tuple) else (value,)
        # Of those left out the default may be empty.
        if "" in given and context.get_parameter_source(option.name).name == "COMMANDLINE":
            raise UserError(f"{max(option.opts, key=len)} is empty; give a value, or leave it out")
        return process(context, value)

    return look
