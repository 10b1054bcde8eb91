"""Elixir with its build tool Mix, and the Erlang that both run on."""

import shlex
import shutil
from collections.abc import Sequence

from webdyno.runtime.programs import NUMBER, Language, Program

_DEBIAN = "elixir erlang-dev erlang-nox"
_EXTENSIONS = """
Mix.start()
if Path.wildcard(Path.join(Mix.path_for(:archives), "hex*")) != [], do: IO.puts("hex")
if Mix.Rebar.rebar_cmd(:rebar3), do: IO.puts("rebar3")
"""
"""Not asked of `mix` itself, which reads the project of the folder that it is started in."""
_INSTALL = {"hex": "mix local.hex --force", "rebar3": "mix local.rebar --force"}


def _extension_hint(_version: str, names: Sequence[str]) -> str:
    return " && ".join(_install(name) for name in names)


def _install(name: str) -> str:
    # Mix does not look for it among the programs.
    if name == "rebar3" and (path := shutil.which(name)):
        return f"export MIX_REBAR3={shlex.quote(path)}"
    return _INSTALL.get(name, f"mix archive.install hex {name}")


LANGUAGE = Language(
    Program(
        "elixir",
        ("--version",),
        rf"^Elixir {NUMBER}",
        _DEBIAN,
        "elixir",
        "elixir-lang.org/install.html",
        extensions=("-e", _EXTENSIONS),
        extension_hint=_extension_hint,
    ),
    # A release contains the Erlang that it was built with, so its version belongs to the build.
    Program(
        "erl",
        ("-noshell", "-eval", 'io:format("OTP ~s~n", [erlang:system_info(otp_release)]), halt().'),
        rf"^OTP {NUMBER}",
        _DEBIAN,
        "erlang",
        "erlang.org/downloads",
    ),
    unreached=r"\{:failed_connect, \[\{:to_address, \{(?:~c)?['\"](?P<host>[^'\"]+)['\"], \d+\}\}"
    r".*:(?P<reason>\w+)\}\]\}",
)
