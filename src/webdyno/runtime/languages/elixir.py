"""Elixir, its build tool Mix, and the Erlang that both run on."""

from collections.abc import Sequence

from webdyno.runtime.programs import NUMBER, Language, Program

_DEBIAN = "elixir erlang-dev erlang-ssl erlang-xmerl erlang-eunit"
_EXTENSIONS = (
    'if Code.ensure_loaded?(Hex), do: IO.puts("hex"); '
    'if Mix.Rebar.rebar_cmd(:rebar3), do: IO.puts("rebar3")'
)
_INSTALL = {"hex": "mix local.hex --force", "rebar3": "mix local.rebar --force"}


def _extension_hint(_version: str, names: Sequence[str]) -> str:
    return " && ".join(_INSTALL.get(name, f"mix archive.install hex {name}") for name in names)


LANGUAGE = Language(
    Program(
        "elixir", ("--version",), rf"^Elixir {NUMBER}", _DEBIAN, "elixir",
        "elixir-lang.org/install.html",
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
    Program(
        "mix",
        ("--version",),
        rf"^Mix {NUMBER}",
        _DEBIAN,
        "elixir",
        "elixir-lang.org/install.html",
        extensions=("run", "--no-mix-exs", "-e", _EXTENSIONS),
        extension_hint=_extension_hint,
    ),
)  # fmt: skip
