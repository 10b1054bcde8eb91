"""What a build installs outside itself, where the other version's replaces it."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.outside import check_place, shared_modules, shared_packages
from webdyno.ab.versions.version import Version
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.servers.program import BuildManifest
from webdyno.catalog.terms.command import argv_of
from webdyno.errors import UserError


def described(build: list[str], command: str, folder: Path, env: dict[str, str]) -> Pairing:
    """The pair of two folders of a service that is built and started so."""
    description = Description.model_validate(
        {
            "name": "shop",
            "requests": ["GET /"],
            "build": {"commands": build, "env": env},
            "run": {"command": command},
        }
    )
    folders = folder / "a", folder / "b"
    for one in folders:
        one.mkdir(parents=True)
    a, b = (Version(one.name, one.name, one) for one in folders)
    return pairing(description, (a, b), Catalog(), folder)


@pytest.mark.parametrize(
    "command",
    ["docker run --rm -p ${PORT}:80 shop", "docker compose up", "cd deploy && docker-compose up -d",
     "sudo podman run shop"],
)  # fmt: skip
def test_a_service_in_a_container_is_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(UserError, match=r"runs the service in a container, .* \(--url twice\)"):
        described(["make"], command, tmp_path, {})


@pytest.mark.parametrize(
    ("build", "command", "env", "refused"),
    [
        (["go install ./cmd/shop"], "shop-of-nobody", {}, True),
        (["cd x && go install"], "shop-of-nobody --port ${PORT}", {}, True),
        (["cargo install --path ."], "SHOP=1 ~/.cargo/bin/shop-of-nobody", {}, True),
        # Into the build, of another module, or of a program that is not started.
        (["go install ./cmd/shop"], "shop-of-nobody", {"GOBIN": "bin"}, False),
        (["GOBIN=$PWD/bin go install ./cmd/shop"], "bin/shop", {}, False),
        (["cargo install --path . --root out"], "out/bin/shop", {}, False),
        (["go install golang.org/x/tools/cmd/stringer@latest"], "shop-of-nobody", {}, False),
        (["go install ./tools", "go build -o shop"], "./shop", {}, False),
        (["go install ./tools"], "sh start.sh", {}, False),
    ],
)
def test_a_program_that_both_builds_install_in_one_place_is_refused(
    tmp_path: Path, build: list[str], command: str, env: dict[str, str], refused: bool
) -> None:
    if not refused:
        described(build, command, tmp_path, env)
        return
    with pytest.raises(UserError, match=r"`.* install.*` installs '.*shop-of-nobody' outside"):
        described(build, command, tmp_path, env)


def shared(build: list[str], folder: Path, of_b: str = "flask==3.1\n") -> str:
    """What is told of a build of two folders whose requirements are Flask 3.0 and `of_b`."""
    folders = [folder / "a", folder / "b"]
    for one, text in zip(folders, ("flask==3.0\n", of_b), strict=True):
        one.mkdir()
        (one / "requirements.txt").write_text(text)
        (one / "poetry.lock").write_text(text)
    made = BuildManifest.model_validate({"commands": build})
    return shared_packages([made, made], folders)


@pytest.mark.parametrize(
    "build",
    [
        ["pip install -r requirements.txt"],
        ["python3 -m pip install --quiet -r requirements.txt"],
        ["pip install poetry && poetry config virtualenvs.create false && poetry install"],
        ["uv pip install --system -r requirements.txt"],
        # A shell of its own, whose end it does not outlive.
        [". .venv/bin/activate", "pip install -r requirements.txt"],
    ],
)
def test_packages_that_both_versions_share_are_told(tmp_path: Path, build: list[str]) -> None:
    assert "installs outside the builds" in shared(build, tmp_path)


@pytest.mark.parametrize(
    ("build", "of_b"),
    [
        (["pip install -r requirements.txt"], "flask==3.0\n"),
        (["python3 -m venv .venv", ".venv/bin/pip install -r requirements.txt"], "flask==3.1\n"),
        (["python3 -m venv v && . v/bin/activate && pip install -r requirements.txt"], "flask\n"),
        (["pip install -r requirements.txt --target packages"], "flask==3.1\n"),
        (["pip install poetry", "poetry install"], "flask==3.1\n"),
        (["uv pip install --python .venv -r requirements.txt"], "flask==3.1\n"),
        (["poetry config virtualenvs.create false", "poetry install"], "flask==3.0\n"),
    ],
)
def test_what_is_the_same_or_in_the_build_is_not_told(
    tmp_path: Path, build: list[str], of_b: str
) -> None:
    assert shared(build, tmp_path, of_b) == ""


def test_the_service_itself_is_never_the_same(tmp_path: Path) -> None:
    assert "`pip install .`" in shared(["pip install ."], tmp_path, "flask==3.0\n")


@pytest.mark.parametrize(
    ("build", "is_told"),
    [
        ("./mvnw -q -pl api package", True),
        ("mvn --projects=api package", True),
        ("mvn -pl api -am package", False),
        ("mvn package", False),
    ],
)
def test_modules_that_both_versions_share_are_told(
    tmp_path: Path, build: str, is_told: bool
) -> None:
    made = BuildManifest.model_validate({"commands": [build]})
    told = shared_modules([made, made], [tmp_path / "a", tmp_path / "b"])
    assert told.endswith("add --also-make") == is_told
    assert bool(told) == is_told
    assert shared_modules([made, made], [tmp_path, tmp_path]) == ""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("{here}/bin/shop --port ${PORT}", "bin/shop"),
        ("node {here}/bin/shop", "bin/shop"),
        ("node --enable-source-maps {here}/bin/shop", "bin/shop"),
        ("java -jar {here}/bin/shop", "bin/shop"),
        ("bin/shop", ""),
        ("./shop --config {here}/bin/shop", ""),
        ("{here}/.venv/bin/gunicorn app:app", ""),
        ("{here}/bin/none", ""),
        ("/bin/sh start.sh", ""),
    ],
)
def test_a_program_in_the_working_copy_is_refused(tmp_path: Path, command: str, told: str) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for name in ("bin/shop", ".venv/bin/gunicorn"):
        (tmp_path / name).touch()
    argv = argv_of(command.replace("{here}", str(tmp_path)))
    if not told:
        check_place(argv, tmp_path)
        return
    with pytest.raises(UserError, match=rf"lies in the working copy, .* in the build: {told}$"):
        check_place(argv, tmp_path)


@pytest.mark.parametrize(
    ("build", "given", "env"),
    [
        ("poetry install --only main", {}, {"POETRY_VIRTUALENVS_IN_PROJECT": "true"}),
        ("cd api && CI=1 pipenv sync", {}, {"PIPENV_VENV_IN_PROJECT": "1"}),
        (
            "poetry install",
            {"POETRY_VIRTUALENVS_IN_PROJECT": "false"},
            {"POETRY_VIRTUALENVS_IN_PROJECT": "false"},
        ),
        ("npm ci", {"A": "1"}, {"A": "1"}),
    ],
)
def test_packages_are_put_into_the_build(
    tmp_path: Path, build: str, given: dict[str, str], env: dict[str, str]
) -> None:
    pair = described([build], "./shop", tmp_path, given)
    assert [one.manifest.build.env for one in pair.catalog.pair.values()] == [env, env]
