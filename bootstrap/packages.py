"""Installs locked packages, in the environment whose Python runs it: `packages.py LOCK...`.

By uv, which is faster than pip. Pip gets uv, by its hash, and stands in where uv cannot be
had, fails, or does not know a setting of pip's that may decide where packages come from. An
environment without pip gets the one that came with Python.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import bundled_pip
from progress import end_with_parent

UV_LOCK = Path(__file__).resolve().parent.parent / "requirements-installer.lock"

_PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]

_UV_NAMES = {
    "cert": "SSL_CERT_FILE",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "index-url": "UV_DEFAULT_INDEX",
    "retries": "UV_HTTP_RETRIES",
    "timeout": "UV_HTTP_TIMEOUT",
    "trusted-host": "UV_INSECURE_HOST",
}
"""Settings of pip's, and the variable by which uv is told the same."""

_HARMLESS = {
    "break-system-packages", "cache-dir", "config-file", "disable-pip-version-check",
    "no-cache-dir", "no-color", "no-input", "no-warn-script-location", "progress-bar", "quiet",
    "require-hashes", "require-virtualenv", "root-user-action", "user", "verbose",
}  # fmt: skip
"""Settings of pip's that do not decide what is installed, or from where."""

_LISTING_MARK = "PIP_NO_COLOR"
"""Set where pip lists its settings, and so listed with them, unless pip is told to be quiet."""


_PRECEDENCE = ("global", "install", ":env:")
"""Where pip finds what it installs by; what stands in a later one goes before."""


def main(locks: list[str]) -> int:
    """Install what `locks` hold, and pip where it is missing; gives the exit code."""
    wheel = _unpacked_pip()
    requests = [["--require-hashes", *(word for lock in locks for word in ("-r", lock))]]
    if _install_by_uv([*requests, *([["--reinstall", "--no-index", wheel]] if wheel else [])]):
        return 0
    requests += [["--force-reinstall", "--no-index", wheel]] if wheel else []
    pip = [*_PIP, "install", "--no-compile"]
    # Locks are asked for with hashes in any case; the wheel is Python's own, and has none.
    env = {**os.environ, "PIP_REQUIRE_HASHES": "0"}
    codes = (_exit_code([*pip, *words], env) for words in requests)
    return next((code for code in codes if code), 0)


def _unpacked_pip() -> str:
    """Give this environment a pip that runs, if it has none: its wheel, to be installed yet."""
    if importlib.util.find_spec("pip"):
        return ""
    wheel = bundled_pip.wheel()
    if wheel is None:
        sys.exit("pip is missing, and this Python brings none")
    bundled_pip.unpack(wheel, Path(sysconfig.get_path("purelib")))
    return str(wheel)


def _install_by_uv(requests: list[list[str]]) -> bool:
    """Whether uv installed what each of `requests` names, the words of a command line."""
    variables = uv_variables(_pip_settings())
    if variables is None:
        print("pip installs: uv cannot be told all of its settings", flush=True)
        return False
    if not _install_uv():
        print("pip installs: uv could not be installed", flush=True)
        return False
    # Compiling every module takes longer than installing it; Python does so when it is used.
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install"]
    uv += ["--no-config", "--no-progress", "--python", sys.executable]
    if all(_succeeds([*uv, *words], {**os.environ, **variables}) for words in requests):
        return True
    print("uv failed; using pip instead", flush=True)
    return False


def uv_variables(settings: str | None) -> dict[str, str] | None:
    """The variables that tell uv what `pip config list` printed; None where there are none."""
    if settings is None:
        return None
    # Certificates that the machine trusts, as today's pip does.
    variables = {"UV_SYSTEM_CERTS": "1"}
    for line in sorted(settings.splitlines(), key=_rank):
        key, equals, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if not equals or name in _HARMLESS or section not in _PRECEDENCE:
            continue
        try:
            words = str(ast.literal_eval(value)).split()
        except (SyntaxError, ValueError):
            return None
        if not words:
            continue  # As pip does: the value of a section before counts.
        if name not in _UV_NAMES:
            return None
        variables[_UV_NAMES[name]] = ("," if name == "find-links" else " ").join(words)
    return variables


def _rank(line: str) -> int:
    section = line.partition("=")[0].rpartition(".")[0]
    return _PRECEDENCE.index(section) if section in _PRECEDENCE else 0


def _pip_settings() -> str | None:
    """What pip says of its settings; None where it does not."""
    env = {name: value for name, value in os.environ.items() if name != "PIP_QUIET"}
    command = [*_PIP, "config", "list"]
    done = subprocess.run(
        command, env={**env, _LISTING_MARK: "1"}, capture_output=True, text=True, check=False
    )
    listed = f":env:.{_LISTING_MARK.removeprefix('PIP_').lower().replace('_', '-')}="
    # A quiet pip would seem to have no settings, and uv go elsewhere than pip is told to.
    return done.stdout if done.returncode == 0 and listed in done.stdout else None


def _install_uv() -> bool:
    # No dependencies, nothing to compile, and little patience: pip itself is at hand.
    pip = [*_PIP, "install", "--quiet", "--require-hashes", "--no-compile", "--retries=1"]
    pip += ["--only-binary=:all:"]
    return _succeeds([*pip, "-r", str(UV_LOCK)], dict(os.environ))


def _succeeds(command: list[str], env: dict[str, str]) -> bool:
    try:
        return _exit_code(command, env) == 0
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", flush=True)
        return False


def _exit_code(command: list[str], env: dict[str, str]) -> int:
    return subprocess.run(command, env=env, check=False, preexec_fn=end_with_parent).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
