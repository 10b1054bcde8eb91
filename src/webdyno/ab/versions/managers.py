"""What package managers of Node.js and Python are told: whether they install dependencies by it,
and in which folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_TELLS = words_of("-h --help --version --dry-run")


@dataclass(frozen=True)
class Manager:
    """A package manager, by the words on its command line."""

    installs: frozenset[str]
    """Its commands that install; the empty one where it installs when it is told none."""
    enters: frozenset[str] = frozenset()
    """Options that name the folder in which it works."""
    valued: frozenset[str] = frozenset()
    """Other options that the next word belongs to, of those that may stand before a command."""
    leads: Mapping[str, int] = field(default_factory=dict)
    """Words before such a command, each with the number of words that it takes."""
    idle: frozenset[str] = _TELLS
    """Options with which it installs nothing into the folder."""


_OF_NODE = _TELLS | words_of("-v -g --global")
_FETCHING = words_of("--registry --cafile --https-proxy --proxy --network-concurrency")

MANAGERS: Mapping[str, Manager] = {
    "npm": Manager(
        words_of(
            "install add i in ins inst insta instal isnt isnta isntal isntall ci clean-install ic "
            "install-clean isntall-clean install-test it install-ci-test cit clean-install-test sit"
        ),
        words_of("-C --prefix"),
        _FETCHING
        | words_of(
            "--audit-level --before --cache --fetch-retries --fetch-timeout --globalconfig "
            "--include --install-strategy -L --location --loglevel --maxsockets --node-options "
            "--noproxy --omit --only --script-shell --tag --userconfig -w --workspace"
        ),
        idle=_OF_NODE | words_of("-L=global --location=global --package-lock-only"),
    ),
    "pnpm": Manager(
        words_of("install i add ci"),
        words_of("-C --dir --prefix"),
        _FETCHING
        | words_of(
            "--child-concurrency -F --filter --filter-prod --loglevel --lockfile-dir --modules-dir "
            "--package-import-method --reporter --store-dir --virtual-store-dir "
            "--workspace-concurrency"
        ),
        {"m": 0, "multi": 0, "recursive": 0},
        _OF_NODE | words_of("--lockfile-only"),
    ),
    "yarn": Manager(
        frozenset({"", "install", "add"}),
        words_of("--cwd"),
        _FETCHING
        | words_of(
            "--cache-folder --global-folder --link-folder --mode --modules-folder --mutex "
            "--network-timeout --preferred-cache-folder --use-yarnrc"
        ),
        {"workspace": 1},
        _OF_NODE | words_of("--mode=update-lockfile"),
    ),
    "bun": Manager(
        words_of("install i add a ci"),
        words_of("--cwd"),
        _FETCHING | words_of("--backend --cache-dir -c --config --filter --linker --omit"),
        idle=_OF_NODE | words_of("--lockfile-only"),
    ),
    **dict.fromkeys(
        ("pip", "pip3"),
        Manager(
            words_of("install"),
            valued=words_of(
                "--cache-dir --cert --client-cert --exists-action --keyring-provider --log --proxy "
                "--python --retries --timeout --trusted-host --use-deprecated --use-feature"
            ),
            idle=_TELLS | words_of("-V"),
        ),
    ),
    "uv": Manager(
        words_of("add install sync"),
        words_of("--directory --project"),
        words_of("--allow-insecure-host --cache-dir --color --config-file"),
        {"pip": 0},
        _TELLS | words_of("-V --check"),
    ),
    "poetry": Manager(
        words_of("add install sync"),
        words_of("-C --directory -P --project"),
        idle=_TELLS | words_of("-V"),
    ),
    "pdm": Manager(
        words_of("add install sync"),
        words_of("-p --project"),
        words_of("-c --config"),
        idle=_TELLS | words_of("-V --check"),
    ),
    "pipenv": Manager(words_of("install sync"), valued=words_of("--python --pypi-mirror")),
}


def installs_in(program: str, words: Sequence[str]) -> str | None:
    """The folder in which a package manager installs dependencies where it is told `words`; empty
    for that in which it is started. None where it installs none, or is no package manager."""
    manager = MANAGERS.get(program)
    if manager is None:
        return None
    command: list[str] = []
    folder = ""
    rest = iter(words)
    for word in rest:
        if word == "--":
            break
        if not word.startswith("-"):
            command.append(word)
            continue
        option, equals, value = word.partition("=")
        if not equals and option in manager.enters | manager.valued:
            value = next(rest, "")
        if word in manager.idle or f"{option}={value}" in manager.idle:
            return None
        folder = value if option in manager.enters else folder
    while command and command[0] in manager.leads:
        command = command[1 + manager.leads[command[0]] :]
    return folder if (command or [""])[0] in manager.installs else None
