"""What a build that fails may lack, because it gets neither your environment nor a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from webdyno.ab.recognise.missing.unfetched_build_tool import remedy_of_wrapper
from webdyno.ab.recognise.recognised import MOST_NAMED, text_of
from webdyno.ab.recognise.settings.variables import ENV_FILES, named_in
from webdyno.report.numbers import first_of, it_or_them
from webdyno.runtime.builds.environment import declared_environment

_NAME = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b(?!=)")
"""A variable as builds tell of it, but for one that the command sets: of a single word, it may as
well be a word that is shouted."""

_NO_ACCESS = re.compile(r"\b(?:E?40[134]|ENEEDAUTH)\b|\bunauthori[sz]ed\b", re.IGNORECASE)
"""How a registry of packages refuses who sends no token. Few tools say which variable was to hold
it."""

_REGISTRIES = (
    (
        (".npmrc", "~/.npmrc", ".yarnrc.yml", "~/.yarnrc.yml", "$NPM_CONFIG_USERCONFIG"),
        re.compile(r"\$\{(\w+)"),
    ),
    ((".mvn/settings.xml", "~/.m2/settings.xml"), re.compile(r"\$\{env\.(\w+)\}")),
    (
        ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        re.compile(r"(?:getenv|environmentVariable)\([\"'](\w+)[\"']\)"),
    ),
)
"""Settings of package managers, in a project, in one's home and where a variable says, and how they
name a variable."""

_NO_REPOSITORY = re.compile(
    r"not a git repository|unable to detect version|SCM isn't detected|no git repository found"
    r"|\.git directory (?:is|was|could) not|cannot find '\.git' directory|repository not found: /"
    r"|could not find (?:a )?(?:git )?repository",
    re.IGNORECASE,
)
"""How git, and tools that take a version from it, say that there is no repository."""


def remedy_of_build(
    reason: str,
    folder: Path,
    files: Collection[str] | None,
    env: Mapping[str, str],
    sound: Iterable[Path] = (),
) -> str:
    """What helps a build that failed for `reason`, as the end of a sentence: a variable that your
    environment has, or a file in `folder` which is not among the `files` that are copied, and that
    the build, whose own variables are `env`, has not; or a repository, unless the logs of `sound`
    builds tell that these went on without one; or a build tool that could not be fetched. Empty
    where it is none of these. Values are not told.
    """
    if told := remedy_of_wrapper(reason, folder):
        return told
    candidates = _NAME.findall(reason) + (
        _of_registries(folder) if _NO_ACCESS.search(reason) else []
    )
    named = [name for name in dict.fromkeys(candidates) if name not in env]
    for where, names in _variables_and_place(folder, files):
        if missing := [name for name in named if name in names]:
            return (
                f"; a build does not get {first_of(missing, MOST_NAMED)} from {where}: set "
                f"{it_or_them(missing)} in `env` under [build], or before the command "
                f"(--build '{missing[0]}=… …')"
            )
    if _NO_REPOSITORY.search(reason) and not any(
        _NO_REPOSITORY.search(text_of(log)) for log in sound
    ):
        return (
            "; the copy that is built is in no git repository: tell the build its version, or let "
            "its first command make one (git init -q && git -c user.name=ab -c user.email=ab "
            "commit -q --allow-empty -m ab)"
        )
    return ""


def _of_registries(folder: Path) -> list[str]:
    """The variables that settings of package managers name, in which a token is."""
    return [
        name
        for files, pattern in _REGISTRIES
        for file in files
        for name in pattern.findall(text_of(folder / os.path.expanduser(os.path.expandvars(file))))
    ]


def _variables_and_place(
    folder: Path, files: Collection[str] | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """Where variables are that a build does not get, and which those are."""
    kept = declared_environment()
    yield "your environment", [name for name in os.environ if name not in kept]
    for name in ENV_FILES:
        if files is not None and name not in files:
            yield f"{name}, which is not in the copy that is built", named_in(folder / name)
