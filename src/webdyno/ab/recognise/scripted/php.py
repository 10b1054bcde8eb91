"""A service in PHP."""

from __future__ import annotations

from pathlib import Path

from webdyno.ab.recognise.recognised import RecognisedService, says


def php(folder: Path) -> RecognisedService | None:
    """By composer.json."""
    path = folder / "composer.json"
    if not path.is_file():
        return None
    root = "public" if (folder / "public").is_dir() else "."
    # With --quiet it says that it failed, and not at which package.
    build = "composer install --no-dev --no-interaction --no-progress --optimize-autoloader"
    run = f"php -d opcache.enable_cli=1 -S 127.0.0.1:${{PORT}} -t {root}"
    env: dict[str, str] = {}
    if says(path, r"\bsymfony/framework-bundle\b"):
        # Its .env says `dev`, whose bundles --no-dev leaves out.
        env = {"APP_ENV": "prod", "APP_DEBUG": "0"}
        build = f"env APP_ENV=prod {build}"
    writes = (folder / "artisan").is_file() or (folder / "var").is_dir()
    ask = "PHP's own server is not for production; name the one you use"
    return RecognisedService("composer.json", "php", (build,), run, ("php",), writes, ask, env=env)
