"""What a build that fails lacks of the environment, or of a repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.recognise.missing.build_remedy import remedy_of_build

SQLX = "error: set `DATABASE_URL` to use query macros online"


def test_a_variable_of_the_environment_is_named_without_its_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert remedy_of_build(SQLX, tmp_path, (), {}) == ""
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    assert remedy_of_build(SQLX, tmp_path, (), {}) == (
        "; a build does not get DATABASE_URL from your environment: set it in `env` under [build], "
        "or before the command (--build 'DATABASE_URL=… …')"
    )
    # Set already, by the description or by the command that is told.
    assert remedy_of_build(SQLX, tmp_path, (), {"DATABASE_URL": "x"}) == ""
    assert remedy_of_build("'DATABASE_URL=x make' exited with 2", tmp_path, (), {}) == ""


def test_one_of_a_file_that_is_not_copied_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    (tmp_path / ".env").write_text("DATABASE_URL=x\nOTHER_ONE=y\n")
    told = remedy_of_build(SQLX, tmp_path, ("main.rs",), {})
    assert "DATABASE_URL from .env, which is not in the copy that is built: set it" in told
    assert "OTHER_ONE" not in told
    assert remedy_of_build(SQLX, tmp_path, ("main.rs", ".env"), {}) == ""


NPM = "//npm.pkg.github.com/:_authToken=${ACME_TOKEN}\n"


@pytest.mark.parametrize(
    ("said", "file", "text", "is_told"),
    [
        ("404 Not Found - GET https://npm.pkg.github.com/@acme%2fx", ".npmrc", NPM, True),
        ("code ENEEDAUTH", "home/.npmrc", NPM, True),
        ("code ENEEDAUTH", "given", NPM, True),
        (
            "Could not transfer artifact x: status code: 401, reason phrase: Unauthorized",
            "home/.m2/settings.xml",
            "<password>${env.ACME_TOKEN}</password>",
            True,
        ),
        (
            "Received status code 401 from server: Unauthorized",
            "build.gradle",
            'password = System.getenv("ACME_TOKEN")',
            True,
        ),
        ("x.ts:4:1: error TS2304: Cannot find name 'y'", ".npmrc", NPM, False),
    ],
)
def test_few_package_managers_say_which_token_they_lack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, file: str, text: str, is_told: bool
) -> None:
    monkeypatch.setenv("ACME_TOKEN", "secret")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NPM_CONFIG_USERCONFIG", str(tmp_path / "given"))
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert ("does not get ACME_TOKEN from" in remedy_of_build(said, tmp_path, (), {})) == is_told


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("fatal: not a git repository (or any of the parent directories): .git", True),
        ("LookupError: setuptools-scm was unable to detect version for /x", True),
        (".git directory is not found! Please specify a valid [dotGitDirectory]", True),
        ("RuntimeError: Unable to detect version control system.", True),
        ("java.lang.IllegalArgumentException: Cannot find '.git' directory", True),
        ("x.go:3:1: undefined: y", False),
    ],
)
def test_a_build_that_wants_a_repository_is_told_how_to_have_one(
    tmp_path: Path, said: str, is_told: bool
) -> None:
    assert ("(git init -q && git -c" in remedy_of_build(said, tmp_path, (), {})) == is_told


def test_a_build_that_can_do_without_a_repository_failed_at_something_else(tmp_path: Path) -> None:
    said = "fatal: not a git repository"
    log = tmp_path / "log"
    log.write_text("built\n")
    assert remedy_of_build(said, tmp_path, (), {}, [log]) != ""
    log.write_text(f"{said} (or any of the parent directories): .git\nbuilt\n")
    assert remedy_of_build(said, tmp_path, (), {}, [log]) == ""


UNREACHED = (
    "'./gradlew --no-daemon --quiet bootJar' exited with 1: Exception in thread \"main\" "
    "java.net.UnknownHostException: services.gradle.org"
)
GRADLE = "distributionUrl=https\\://services.gradle.org/distributions/gradle-7.4-bin.zip\n"


def test_a_build_tool_that_its_wrapper_could_not_fetch_is_named(tmp_path: Path) -> None:
    settings = tmp_path / "gradle/wrapper/gradle-wrapper.properties"
    settings.parent.mkdir(parents=True)
    settings.write_text(GRADLE)
    assert remedy_of_build(UNREACHED, tmp_path, (), {}) == (
        "; gradlew could not fetch Gradle 7.4 from "
        "https://services.gradle.org/distributions/gradle-7.4-bin.zip: let distributionUrl in "
        "gradle/wrapper/gradle-wrapper.properties name a mirror that this machine reaches, or have "
        "Gradle on your PATH and start gradle in `build` (--build)"
    )
    # Gradle itself, which lacks a package.
    itself = "'./gradlew bootJar' exited with 1: > Could not GET 'https://repo.example.org/a'."
    assert remedy_of_build(itself, tmp_path, (), {}) == ""


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("net.UnknownHostException: services.gradle.org", True),
        ("io.IOException: Downloading from https://services.gradle.org/x.zip failed", True),
        ("io.IOException: Server returned HTTP response code: 403 for URL: https://a", True),
        ("io.FileNotFoundException: https://services.gradle.org/x.zip", True),
        ("io.FileNotFoundException: /home/a/.gradle/x.zip (Permission denied)", False),
        ("io.IOException: No space left on device", False),
    ],
)
def test_a_wrapper_that_fails_at_a_file_of_this_machine_is_not_told_to_fetch(
    tmp_path: Path, said: str, is_told: bool
) -> None:
    settings = tmp_path / "gradle/wrapper/gradle-wrapper.properties"
    settings.parent.mkdir(parents=True)
    settings.write_text(GRADLE)
    reason = f"'./gradlew bootJar' exited with 1: Exception in thread \"main\" java.{said}"
    assert bool(remedy_of_build(reason, tmp_path, (), {})) is is_told


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("wget: Failed to fetch https://repo.maven.apache.org/maven2/x.zip", True),
        ("curl: (6) Could not resolve host: repo.maven.apache.org", True),
        ("[ERROR] Could not transfer artifact: repo.maven.apache.org: Unknown host", False),
    ],
)
def test_so_is_the_one_of_mavens(tmp_path: Path, said: str, is_told: bool) -> None:
    settings = tmp_path / ".mvn/wrapper/maven-wrapper.properties"
    settings.parent.mkdir(parents=True)
    address = "https://repo.maven.apache.org/maven2/apache-maven-3.9.6-bin.zip"
    settings.write_text(f"distributionUrl={address}\n")
    told = remedy_of_build(f"'sh mvnw package' exited with 1: {said}", tmp_path, (), {})
    assert bool(told) is is_told
    assert not is_told or told.startswith(f"; mvnw could not fetch Maven 3.9.6 from {address}: ")
