"""What pip is told of registries, uv is told as well; where that cannot be, pip installs."""

from __future__ import annotations

from pathlib import Path

import pytest

import packages

CERTS = {"UV_SYSTEM_CERTS": "1"}
WHEEL = "/wheels/pip-1.2.3-py3-none-any.whl"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("", {}),
        ("global.index-url='https://mirror.example/simple'",
         {"UV_DEFAULT_INDEX": "https://mirror.example/simple"}),
        ("global.find-links='\\n/one\\n/two'", {"UV_FIND_LINKS": "/one,/two"}),
        ("global.extra-index-url='a b'", {"UV_INDEX": "a b"}),
        ("global.cert='/ca.crt'\n:env:.timeout='180'\nglobal.quiet='1'",
         {"SSL_CERT_FILE": "/ca.crt", "UV_HTTP_TIMEOUT": "180"}),
        # The environment goes before a section of its own, and that before all others.
        (":env:.index-url='e'\nglobal.index-url='g'\ninstall.index-url='i'",
         {"UV_DEFAULT_INDEX": "e"}),
        ("global.index-url='g'\ninstall.index-url='i'", {"UV_DEFAULT_INDEX": "i"}),
        # Another command's.
        ("download.no-index='1'", {}),
        # Pip takes no notice of what is empty.
        (":env:.index-url=''\nglobal.index-url='g'\n:env:.proxy=''", {"UV_DEFAULT_INDEX": "g"}),
        (":env:.require-hashes='1'", {}),
        (":env:.config-file='/pip.conf'\nglobal.index-url='g'", {"UV_DEFAULT_INDEX": "g"}),
    ],
)  # fmt: skip
def test_uv_is_told_what_pip_knows(settings: str, told: dict[str, str]) -> None:
    assert packages.uv_variables(settings) == {**CERTS, **told}


@pytest.mark.parametrize("settings", ["global.no-index='1'", "install.index-url=oops'", None])
def test_what_uv_cannot_be_told_leaves_it_to_pip(settings: str | None) -> None:
    assert packages.uv_variables(settings) is None


@pytest.mark.parametrize(
    ("settings", "failing", "tried"),
    [
        ("", [], ["pip gets uv", "uv"]),
        ("", ["pip gets uv"], ["pip gets uv", "pip"]),
        ("", ["uv"], ["pip gets uv", "uv", "pip"]),
        ("global.no-index='1'", [], ["pip"]),
    ],
)
def test_pip_stands_in_for_uv(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    failing: list[str],
    tried: list[str],
) -> None:
    monkeypatch.setattr(packages, "_pip_settings", lambda: settings)
    seen = _watched(monkeypatch, failing)
    assert packages.main(["some.lock"]) == 0
    assert seen == tried
    # Where pip installs, one line says why.
    assert capsys.readouterr().out.count("\n") == (tried[-1] == "pip")


@pytest.mark.parametrize(
    ("failing", "tried"),
    [
        ([], ["pip gets uv", "uv", "uv gets pip"]),
        (["pip gets uv"], ["pip gets uv", "pip", "pip gets pip"]),
        (["uv gets pip"], ["pip gets uv", "uv", "uv gets pip", "pip", "pip gets pip"]),
    ],
)
def test_an_environment_without_pip_gets_the_one_that_came_with_python(
    monkeypatch: pytest.MonkeyPatch, failing: list[str], tried: list[str]
) -> None:
    monkeypatch.setattr(packages, "_pip_settings", lambda: "")
    monkeypatch.setattr(packages, "_unpacked_pip", lambda: WHEEL)
    seen = _watched(monkeypatch, failing)
    assert packages.main(["some.lock"]) == 0
    assert seen == tried


def test_pip_s_own_wheel_is_installed_where_pip_is_set_to_require_hashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packages, "_pip_settings", lambda: "")
    monkeypatch.setattr(packages, "_unpacked_pip", lambda: WHEEL)
    monkeypatch.setenv("PIP_REQUIRE_HASHES", "1")
    envs: list[dict[str, str]] = []
    _watched(monkeypatch, ["uv"], envs)
    assert packages.main(["some.lock"]) == 0
    assert envs[-1]["PIP_REQUIRE_HASHES"] == "0"


def test_what_pip_could_not_install_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_pip_settings", lambda: "")
    monkeypatch.setattr(packages, "_unpacked_pip", lambda: WHEEL)
    seen = _watched(monkeypatch, ["uv", "pip"])
    assert packages.main(["some.lock"]) == 1
    assert seen[-1] == "pip"


@pytest.mark.slow
@pytest.mark.parametrize("quiet", ["PIP_QUIET", "PIP_CONFIG_FILE"])
def test_a_quiet_pip_is_not_taken_for_one_without_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quiet: str
) -> None:
    config = tmp_path / "pip.conf"
    config.write_text("[global]\nquiet = 1\n")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    monkeypatch.setenv(quiet, str(config) if quiet == "PIP_CONFIG_FILE" else "1")
    told = packages.uv_variables(packages._pip_settings())
    assert told is None or told["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"


def _watched(
    monkeypatch: pytest.MonkeyPatch, failing: list[str], envs: list[dict[str, str]] | None = None
) -> list[str]:
    """The commands that are run from now on, and their variables in `envs`; `failing` fail."""
    seen: list[str] = []

    class Done:
        def __init__(self, returncode: int) -> None:
            self.returncode = returncode

    def run(command: list[str], env: dict[str, str], **_: object) -> Done:
        name = "uv" if command[0].endswith("uv") else "pip"
        if command[-1] == WHEEL:
            assert "--no-index" in command
            name = f"{name} gets pip"
        elif str(packages.UV_LOCK) in command:
            name = "pip gets uv"
            assert "--require-hashes" in command
            assert "--only-binary=:all:" in command  # Nothing is compiled for this.
        else:
            assert command[-3:] == ["--require-hashes", "-r", "some.lock"]
        seen.append(name)
        if envs is not None:
            envs.append(env)
        return Done(int(name in failing))

    monkeypatch.setattr(packages.subprocess, "run", run)
    return seen
