"""Services in Go, Swift, Elixir, and on the JVM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import MOST_NAMED, NAME, Recognised, says, text_of
from webdyno.report.numbers import first_of


def go(folder: Path) -> Recognised | None:
    """By go.mod."""
    if not (folder / "go.mod").is_file():
        return None
    package, ask = ".", ""
    if not any(says(path, r"^package main\b") for path in folder.glob("*.go")):
        package, ask = _go_command(folder)
    build = f"go build -o service {package or f'./cmd/{NAME}'}"
    return Recognised(
        "go.mod", "go", (build,), "./service", ("go",), open=ask, is_template=not package
    )


def _go_command(folder: Path) -> tuple[str, str]:
    """The package below cmd that is the service, empty where it is not clear which; and what its
    owner has to say."""
    names = sorted({path.parent.name for path in folder.glob("cmd/*/*.go")})
    if not names:
        return ".", "no package main found"
    likely = names if len(names) == 1 else [name for name in names if name in _SERVICES]
    if len(likely) == 1:
        return f"./cmd/{likely[0]}", ""
    ask = (
        f"there are {len(names)} packages in cmd; replace NAME, in `build`, with the one that is "
        f"the service: {first_of(names, MOST_NAMED)}"
    )
    return "", ask


_SERVICES = frozenset({"api", "app", "http", "httpd", "server", "service", "web"})
"""What the package of a service is usually called, beside those of its tools."""


def maven(folder: Path) -> Recognised | None:
    """By pom.xml."""
    if not (folder / "pom.xml").is_file():
        return None
    tool = "./mvnw" if (folder / "mvnw").is_file() else "mvn"
    build = f"{tool} --batch-mode --quiet -DskipTests package"
    needed = ("java",) if tool == "./mvnw" else ("java", "mvn")
    modules = list(_maven_modules(folder))
    services = [one for one in modules if says(folder / one / "pom.xml", _EXECUTABLE)]
    one = services[0] if len(services) == 1 else ""
    poms = [folder / "pom.xml", *([folder / one / "pom.xml"] if one else [])]
    run = "java -jar target/*.jar"
    if any(says(pom, r"quarkus") for pom in poms):
        run = "java -Dquarkus.http.port=${PORT} -jar target/quarkus-app/quarkus-run.jar"
    elif any(says(pom, r"org\.springframework\.boot") for pom in poms):
        run += " --server.port=${PORT}"
    if one:
        return Recognised("pom.xml", "java", (build,), run.replace("target/", f"{one}/target/"),
                          needed, package=one)  # fmt: skip
    run, ask = _of_modules(services or modules, run, "target/")
    return Recognised("pom.xml", "java", (build,), run, needed, open=ask, is_template=bool(modules))


_EXECUTABLE = r"spring-boot-maven-plugin|quarkus-maven-plugin|<mainClass>"
"""What a module's pom says where it builds a jar that can be started."""


def _maven_modules(folder: Path, levels: int = 3) -> Iterator[str]:
    """The modules of a build, less those that only hold others; as seen from its folder."""
    for name in re.findall(r"<module>\s*([^<\s]+)\s*</module>", text_of(folder / "pom.xml")):
        below = list(_maven_modules(folder / name, levels - 1)) if levels > 1 else []
        yield from (f"{name}/{one}" for one in below) if below else [name]


def _of_modules(modules: Sequence[str], run: str, built: str) -> tuple[str, str]:
    """The start command where each of `modules` builds into a folder of its own, and what its owner
    has to say; `built` is where that folder begins in `run`."""
    if not modules:
        return run, ""
    ask = (
        f"the build has {len(modules)} modules; replace NAME, in `run`, with the folder of the one "
        f"that is the service: {first_of(modules, MOST_NAMED)}"
    )
    return run.replace(built, f"{NAME}/{built}", 1), ask


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
    settings = "".join(text_of(folder / name) for name in names if name.startswith("settings"))
    included = re.findall(r"\binclude\b([^\n]*)", settings)
    modules = [
        one.strip(":").replace(":", "/")
        for line in included
        for one in re.findall(r"[\"']([^\"']+)[\"']", line)
    ]
    run, of_modules = _of_modules(modules, run, "build/")
    return Recognised(
        manifest, language, (f"{tool} --no-daemon --quiet {task}",), run, ("java",),
        open=of_modules or ask, is_template=bool(modules),
    )  # fmt: skip


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
