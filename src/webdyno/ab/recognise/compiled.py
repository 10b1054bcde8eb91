"""Services in Go, Swift, Elixir, and on the JVM."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import Recognised, says, text_of


def go(folder: Path) -> Recognised | None:
    """By go.mod."""
    if not (folder / "go.mod").is_file():
        return None
    commands = sorted({path.parent for path in folder.glob("cmd/*/*.go")})
    package, ask = ".", ""
    if not any(says(path, r"^package main\b") for path in folder.glob("*.go")):
        if commands:
            package = f"./cmd/{commands[0].name}"
        if len(commands) != 1:
            ask = "name the package that is the service" if commands else "no package main found"
    return Recognised(
        "go.mod", "go", (f"go build -o service {package}",), "./service", ("go",), open=ask
    )


def maven(folder: Path) -> Recognised | None:
    """By pom.xml."""
    if not (folder / "pom.xml").is_file():
        return None
    tool = "./mvnw" if (folder / "mvnw").is_file() else "mvn"
    build = f"{tool} --batch-mode --quiet -DskipTests package"
    needed = ("java",) if tool == "./mvnw" else ("java", "mvn")
    run = "java -jar target/*.jar"
    if says(folder / "pom.xml", r"quarkus"):
        run = "java -Dquarkus.http.port=${PORT} -jar target/quarkus-app/quarkus-run.jar"
    elif says(folder / "pom.xml", r"org\.springframework\.boot"):
        run += " --server.port=${PORT}"
    return Recognised("pom.xml", "java", (build,), run, needed)


def gradle(folder: Path) -> Recognised | None:
    """By Gradle's files."""
    names = ("build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle")
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    tool = "./gradlew" if (folder / "gradlew").is_file() else "gradle"
    spring = says(folder / manifest, r"org\.springframework\.boot")
    language = "kotlin" if (folder / "src/main/kotlin").is_dir() else "java"
    task = "bootJar" if spring else "installDist"
    run = "java -jar build/libs/*.jar --server.port=${PORT}" if spring else "build/install/*/bin/*"
    ask = "" if spring else "check that `run` names the start script"
    return Recognised(
        manifest, language, (f"{tool} --no-daemon --quiet {task}",), run, ("java",), open=ask
    )


def swift(folder: Path) -> Recognised | None:
    """By Package.swift."""
    path = folder / "Package.swift"
    if not path.is_file():
        return None
    named = re.findall(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"", text_of(path))
    run = f".build/release/{named[0]}" if named else ""
    ask = "" if len(named) == 1 else "name the executable that is the service"
    return Recognised(
        "Package.swift", "swift", ("swift build -c release",), run, ("swift",), open=ask
    )


def elixir(folder: Path) -> Recognised | None:
    """By mix.exs."""
    path = folder / "mix.exs"
    if not path.is_file():
        return None
    named = re.findall(r"^\s*app:\s*:(\w+)", text_of(path), re.MULTILINE)
    mix = "env MIX_ENV=prod mix"
    run = f"env PHX_SERVER=true _build/prod/rel/{named[0]}/bin/{named[0]} start" if named else ""
    ask = "" if named else "an umbrella; name the release that is the service"
    return Recognised(
        "mix.exs", "elixir", (f"{mix} deps.get --only prod", f"{mix} release"), run, ("elixir",),
        open=ask,
    )  # fmt: skip
