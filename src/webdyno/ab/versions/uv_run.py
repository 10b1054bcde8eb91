"""Whether a command has uv install what is locked before it starts a program."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import table_of, toml_of
from webdyno.ab.versions.command_lines import Invocation, commands_of
from webdyno.ab.versions.managers import MANAGERS, words_of

_VALUED = MANAGERS["uv"].valued | words_of(
    """
    -C --config-setting --config-settings-package --default-index --env-file --exclude-newer
    --exclude-newer-package --extra --extra-index-url -f --find-links --fork-strategy --group -i
    --index --index-strategy --index-url --keyring-provider --link-mode --no-binary-package
    --no-build-isolation-package --no-build-package --no-editable-package --no-extra --no-group
    --no-sources-package --only-group -p --python --package --prerelease --prerelease-package
    --python-platform --refresh-package --reinstall-package --resolution --upgrade-group -P
    --upgrade-package -w --with --with-editable --with-requirements
    """
)
"""Options of uv, and of its command `run`, that the next word belongs to."""

_WITHOUT = {"--no-sync": "UV_NO_SYNC", "--no-project": "UV_NO_PROJECT"}
"""Options with which it starts the program in the environment as it is, and the variables that say
the same. With `--frozen` and `--locked` it leaves the lock file alone, but not the environment."""

_TRUE = words_of("1 on t true y yes")


def syncs(command: Sequence[str], env: Mapping[str, str], folder: Path) -> bool:
    """Whether a command that is run in `folder`, with `env` set, has uv put the locked versions
    back before it starts a program."""
    return any(_syncs(one, {**env, **one.variables}, folder) for one in commands_of(command))


def _syncs(command: Invocation, env: Mapping[str, str], folder: Path) -> bool:
    if any(env.get(one, "").lower() in _TRUE for one in _WITHOUT.values()):
        return False
    runs = False
    within = os.path.join(command.below, command.folder)
    rest = iter((command.name, *command.arguments))
    for word in rest:
        if Path(word).name == "uv":
            break  # Whatever starts it, such as `nice uv run`.
    for word in rest:
        if not word.startswith("-"):
            if runs or word != "run":
                break  # What follows are options of a program, or of another command.
            runs = True
            continue
        option, equals, value = word.partition("=")
        enters = option in MANAGERS["uv"].enters
        if not equals and (enters or option in _VALUED):
            value = next(rest, "")
        within = os.path.join(within, value) if enters else within
        if word in _WITHOUT:
            return False
        if word in ("--", "-m", "--module"):
            break
    return runs and _is_project(folder, within)


def _is_project(folder: Path, within: str) -> bool:
    """Whether uv finds a project there: the nearest one above counts, of which a build has those in
    its own folder."""
    top = folder.resolve()
    place = (top / within).resolve()
    for here in (place, *place.parents):
        held = toml_of(here / "pyproject.toml")
        uv = table_of(table_of(held.get("tool")).get("uv"))
        if "project" in held or "workspace" in uv:
            return uv.get("managed") is not False
        if here == top:
            break
    return False
