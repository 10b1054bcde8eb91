"""A service in Ruby: Rails, Rack, or a program of Sinatra."""

from __future__ import annotations

from pathlib import Path

from webdyno.ab.recognise.recognised import KEY, RecognisedService, says
from webdyno.ab.recognise.scripted.ruby_version import version_of
from webdyno.ab.recognise.settings.hanami_settings import hanami_settings


def ruby(folder: Path) -> RecognisedService | None:
    """By Gemfile."""
    path = folder / "Gemfile"
    if not path.is_file():
        return None
    needed, other = version_of(folder)
    rails = (folder / "config/application.rb").is_file()
    env = {"RACK_ENV": "production"}
    if rails:
        run = "bundle exec rails server --port ${PORT} --binding 127.0.0.1"
        env = {"RAILS_ENV": "production", "SECRET_KEY_BASE": KEY}
        ask = (
            "it is started in production: add `bundle exec rails assets:precompile` to `build` if "
            "its pages need that, and the header `X-Forwarded-Proto: https` to `headers` if it "
            "redirects to https"
        )
    elif (folder / "config.ru").is_file():
        if says(path, r"^\s*gem\s+[\"']hanami[\"']"):
            # Its own settings of puma ask for a port.
            env = {"HANAMI_ENV": "production", "HANAMI_PORT": "${PORT}"}
            if "SESSION_SECRET" in hanami_settings(folder):
                env["SESSION_SECRET"] = KEY  # As its guide calls it.
        puma = says(path, r"^\s*gem\s+[\"']puma[\"']")
        server = "puma --bind tcp://127.0.0.1:${PORT}" if puma else "rackup --port ${PORT}"
        run, ask = f"bundle exec {server}", ""
    elif main := next((name for name in _MAINS if _is_sinatra(folder / name)), ""):
        run, ask = f"bundle exec ruby {main} -o 127.0.0.1 -p ${{PORT}}", ""
    else:
        run, ask, env = "", "no config.ru; set the start command", {}
    return RecognisedService(
        "Gemfile", "ruby", ("bundle install --quiet",), run, (needed,), rails, ask,
        other_to_do=(other,) if other else (), env=env,
    )  # fmt: skip


_MAINS = ("app.rb", "server.rb", "main.rb", "web.rb")
"""What the program of an application without config.ru is usually called."""


def _is_sinatra(path: Path) -> bool:
    """Whether a program is an application of Sinatra that starts itself and takes options."""
    return says(path, r"^require\s*\(?\s*[\"']sinatra[\"']")
