"""Services in PHP and Ruby."""

from __future__ import annotations

from pathlib import Path

from webdyno.ab.recognise.recognised import Recognised, says


def php(folder: Path) -> Recognised | None:
    """By composer.json."""
    path = folder / "composer.json"
    if not path.is_file():
        return None
    root = "public" if (folder / "public").is_dir() else "."
    build = "composer install --no-dev --no-interaction --quiet --optimize-autoloader"
    run = f"php -d opcache.enable_cli=1 -S 127.0.0.1:${{PORT}} -t {root}"
    writes = (folder / "artisan").is_file() or (folder / "var").is_dir()
    ask = "PHP's own server is not for production; name the one you use"
    return Recognised("composer.json", "php", (build,), run, ("php",), writes, ask)


def ruby(folder: Path) -> Recognised | None:
    """By Gemfile."""
    path = folder / "Gemfile"
    if not path.is_file():
        return None
    rails = (folder / "config/application.rb").is_file()
    if rails:
        run, ask = "bundle exec rails server --port ${PORT} --binding 127.0.0.1", ""
    elif (folder / "config.ru").is_file():
        puma = says(path, r"^\s*gem\s+[\"']puma[\"']")
        server = "puma --bind tcp://127.0.0.1:${PORT}" if puma else "rackup --port ${PORT}"
        run, ask = f"bundle exec {server}", ""
    else:
        run, ask = "", "no config.ru; set the start command"
    return Recognised("Gemfile", "ruby", ("bundle install --quiet",), run, (), rails, ask)
