"""A service in PHP."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from webdyno.ab.recognise.recognised import KEY, RecognisedService, json_of, says, table_of, text_of
from webdyno.ab.recognise.settings.variables import values_in


def php(folder: Path) -> RecognisedService | None:
    """By composer.json."""
    path = folder / "composer.json"
    if not path.is_file():
        return None
    root = "public" if (folder / "public").is_dir() else "."
    # With --quiet it says that it failed, and not at which package.
    build = "composer install --no-dev --no-interaction --no-progress --optimize-autoloader"
    # The lock file of opcache is in /tmp by default, where a service may not write.
    opcache = "-d opcache.enable_cli=1 -d opcache.lockfile_path=${TMPDIR}"
    run = f"php {opcache} -S 127.0.0.1:${{PORT}} -t {root}"
    ask = "PHP's own server is not for production; name the one you use"
    env: dict[str, str] = {}
    symfony = says(path, r"\bsymfony/framework-bundle\b")
    laravel = (folder / "artisan").is_file()
    if symfony:
        # Its .env says `dev`, whose bundles --no-dev leaves out.
        env = {"APP_ENV": "prod", "APP_DEBUG": "0"}
        build = f"env APP_ENV=prod {build}"
    elif laravel:
        env = {"APP_KEY": KEY[:_KEY_BYTES]}
        if "laravel/octane" in table_of(json_of(path).get("require")):
            run, ask = _octane(folder)
    writes = laravel or symfony or (folder / "var").is_dir()
    return RecognisedService("composer.json", "php", (build,), run, ("php",), writes, ask, env=env)


_KEY_BYTES = 32
"""Of the key with which Laravel encrypts."""

_SERVERS = {
    "frankenphp": (" --admin-port=$((PORT + 1))", "frankenphp"),
    "roadrunner": (" --rpc-port=$((PORT + 1))", "rr"),
    "swoole": ("", ""),
}
"""Octane's servers, what keeps their further ports apart, and the program that each needs."""
_DEFAULT = re.compile(r"[\"']OCTANE_SERVER[\"']\s*,\s*[\"'](\w+)[\"']")


def _octane(folder: Path) -> tuple[str, str]:
    """How Laravel's own server is started, and what its owner has to say about that."""
    told = _DEFAULT.search(text_of(folder / "config/octane.php"))
    server = values_in(folder).get("OCTANE_SERVER") or (told[1] if told else "roadrunner")
    if server not in _SERVERS:
        server = "roadrunner"
    option, program = _SERVERS[server]
    run = f"php artisan octane:start --server={server} --host=127.0.0.1 --port=${{PORT}}{option}"
    there = not program or shutil.which(program) or (folder / program).is_file()
    return run, "" if there else f"{program}, which Octane starts, is not on your PATH; install it"
