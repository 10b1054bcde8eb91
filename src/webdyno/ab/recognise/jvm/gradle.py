"""A service that Gradle builds."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.jvm.dropwizard import dropwizard_start, is_dropwizard
from webdyno.ab.recognise.jvm.ktor import OPTION, takes_port
from webdyno.ab.recognise.jvm.modules import which_module
from webdyno.ab.recognise.jvm.spring import spring_options
from webdyno.ab.recognise.recognised import (
    MICRONAUT_PORT,
    NAME,
    RecognisedService,
    likely_of,
    table_of,
    text_of,
    toml_of,
    wrapper_of,
)

_BUILDS = ("build.gradle.kts", "build.gradle")
_SETTINGS = ("settings.gradle.kts", "settings.gradle")
_SPRING = "org.springframework.boot"

_QUARKUS = r"\bid\b\s*\(?\s*[\"']io\.quarkus[\"']|plugin:\s*[\"']io\.quarkus[\"']"
_RUN_QUARKUS = "java -Dquarkus.http.port=${PORT} -jar build/quarkus-app/quarkus-run.jar"
_MICRONAUT = r"[\"']io\.micronaut\.(?:minimal\.)?application[\"']"

_WRAPPER = "gradle/wrapper/gradle-wrapper.jar"
"""What `gradlew` starts: ignoring all jars keeps it out of a repository."""

_INCLUDED = re.compile(r"\binclude\b\s*\(?\s*\[?\s*((?:[\"'][^\"'\n]+[\"']\s*,?\s*)+)")
"""The modules that a call names, over several lines as well, in Kotlin and in Groovy."""


def gradle(folder: Path) -> RecognisedService | None:
    """By Gradle's files."""
    names = (*_BUILDS, *_SETTINGS)
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    wrapper = wrapper_of(folder, "gradlew", _WRAPPER)
    tool = wrapper or "gradle"
    lacks = "" if wrapper or not (folder / "gradlew").is_file() else (
        f"the copy that is built lacks {_WRAPPER}, without which gradlew does nothing: commit it, "
        "or have Gradle on your PATH"
    )  # fmt: skip
    modules = modules_of(folder)
    started = likely_of([one for one in modules if _is_service(folder, one)])
    if not started and (folder / "src/main").is_dir() and _is_service(folder, ""):
        modules = []  # They are libraries of the root.
    likely = started or modules
    one = likely[0] if len(likely) == 1 else ""
    # A module that says nothing of it may have it from the root.
    places = [one] if one in started else ["", *modules]
    spring = any(_names_spring(folder, place) for place in places)
    quarkus = not spring and any(_says(folder, place, _QUARKUS) for place in places)
    language = "kotlin" if (folder / one / "src/main/kotlin").is_dir() else "java"
    micronaut = any(_says(folder, place, _MICRONAUT) for place in places)
    task, run = "installDist", "build/install/*/bin/*"
    if spring:
        task, run = "bootJar", f"java -jar build/libs/*.jar {spring_options(folder / one)}"
    elif quarkus:
        task, run = "quarkusBuild", _RUN_QUARKUS
    has_script = task == "installDist"
    is_started = one in started if modules else _is_service(folder, "")
    ask = "" if is_started or not has_script else "check that `run` names the start script"
    if modules:
        run = run.replace("build/", f"{one or NAME}/build/", 1)
    if has_script and (name := _script_name(folder, one, bool(modules))):
        run, ask = run.replace("*", name), ""
    build = [f"{tool} --no-daemon --quiet {task}"]
    if has_script and "*" in run:
        # Windows' own stands beside it.
        build.append("find . -path '*/build/install/*/bin/*.bat' -delete")
    if has_script and takes_port(_text_of_module(folder, one), folder / one):
        run += OPTION
    env = MICRONAUT_PORT if micronaut else {}
    other = [lacks]
    if has_script and _is_of_dropwizard(folder, one):
        start = dropwizard_start(folder, one)
        run, env = f"{run} {start.arguments}", {"JAVA_OPTS": " ".join(start.properties)}
        other.append(start.ask)
    unclear = "" if one else which_module(likely, "`run`")
    return RecognisedService(
        manifest, language, tuple(build), run, ("java",),
        open=unclear or ask, other_to_do=tuple(filter(None, other)), package=one,
        is_template=bool(unclear), env=env,
    )  # fmt: skip


_PLACED = re.compile(
    r"\bproject\s*\(\s*[\"']([^\"']+)[\"']\s*\)\.projectDir\s*=\s*"
    r"(?:new\s+File\s*\(\s*(?:settingsDir|rootDir)\s*,|\w*[fF]ile\s*\()\s*"
    r"[\"'](?:\$\{?(?:rootDir|settingsDir)\}?/)?([\w./-]+)[\"']"
)
"""A module whose folder is not where its name says."""


def modules_of(folder: Path) -> list[str]:
    """The folders of the modules that the build in `folder` has, by its settings."""
    settings = _settings(folder)
    placed = {
        name.strip(":"): place.removeprefix("./") for name, place in _PLACED.findall(settings)
    }
    names = [
        one.strip(":")
        for call in _INCLUDED.findall(settings)
        for one in re.findall(r"[\"']([^\"']+)[\"']", call)
    ]
    folders = [placed.get(one, one.replace(":", "/")) for one in names]
    # What lies outside is not in a copy of the folder.
    return [one for one in folders if not one.startswith(("/", ".."))]


def _name_of(folder: Path, module: str) -> str:
    """What Gradle calls the module in a folder, which is its last name in the settings."""
    placed: dict[str, str] = {
        place.removeprefix("./"): name for name, place in _PLACED.findall(_settings(folder))
    }
    return placed.get(module, module).rpartition("/")[2].rpartition(":")[2]


_RENAMED = re.compile(r"\bapplicationName\b(?:\s*(?:=|\.set\()?\s*[\"']([\w.-]+)[\"'])?")
"""What a build file says where its start script is called otherwise."""


def _script_name(folder: Path, module: str, has_modules: bool) -> str:
    """What the start script of a module is called, or of a build without such: like the module,
    unless it is told otherwise; empty where that is not known."""
    if has_modules and not module:
        return ""
    if told := _RENAMED.search(_text_of_module(folder, module)):
        return told[1] or ""
    return _name_of(folder, module) if module else _root_name(folder)


def _root_name(folder: Path) -> str:
    """What the settings call the build, and its start script with it; empty where they do not."""
    name = r"\brootProject\.name\s*=\s*[\"']([\w.-]+)[\"']"
    match = re.search(name, _settings(folder))
    return match[1] if match else ""


_STARTED = (
    r"\bid\b\s*\(?\s*[\"'](?:application|io\.ktor\.plugin"
    r"|io\.micronaut\.(?:minimal\.)?application)[\"']"
    r"|^\s*application\s*$|\bplugins\s*\{[^}]*\bapplication\b[^}\"']*\}|plugin:\s*[\"']application[\"']"
    rf"|{_QUARKUS}"
)
"""What a build file says of a module that can be started, but for Spring Boot's."""


def _is_service(folder: Path, module: str) -> bool:
    """Whether a module's own build file makes something that can be started of it."""
    return _names_spring(folder, module) or _says(folder, module, _STARTED)


def _says(folder: Path, module: str, pattern: str) -> bool:
    return re.search(pattern, _text_of_module(folder, module), re.MULTILINE) is not None


def _text_of_module(folder: Path, module: str) -> str:
    """The build file of a module, with the plugins of the build's own that it names, and with those
    of the catalog as they are called."""
    text = "".join(_code(folder / module / name) for name in _BUILDS)
    text += _conventions(folder, text)
    return text + "".join(f'\nid("{one}")' for one in _aliased(folder, text))


def _is_of_dropwizard(folder: Path, module: str) -> bool:
    """Whether a module depends on Dropwizard, itself or by a name in the catalog."""
    names = text_of(folder / "gradle/libs.versions.toml")
    text = "".join(_code(folder / module / name) for name in _BUILDS)
    return is_dropwizard(text) or (is_dropwizard(names) and "dropwizard" in text)


def _conventions(folder: Path, text: str) -> str:
    """The plugins of the build's own that a build file names, which say what several modules have
    in common: in buildSrc, or in a build that the settings include."""
    included = re.findall(r"\bincludeBuild\s*\(?\s*[\"']([\w./-]+)[\"']", _settings(folder))
    named = set(re.findall(r"\bid\b\s*\(?\s*[\"']([\w.-]+)[\"']", text))
    return "".join(
        _code(path)
        for place in ("buildSrc", *included)
        for path in sorted((folder / place).glob("src/main/*/*.gradle*"))
        if path.name.partition(".gradle")[0] in named
    )


def _names_spring(folder: Path, module: str) -> bool:
    """Whether a module's build file names Spring Boot's plugin, itself, by the catalog, or by a
    plugin of the build's own."""
    settings = "".join(_code(folder / module / name) for name in _SETTINGS)
    return _SPRING in f"{settings} {_text_of_module(folder, module)}"


def _aliased(folder: Path, text: str) -> list[str]:
    """The plugins that a build file applies by their names in a catalog of versions."""
    plugins = table_of(toml_of(folder / "gradle/libs.versions.toml").get("plugins"))
    known = {
        re.sub(r"[-_]", ".", name): str(table_of(held).get("id", held)).partition(":")[0]
        for name, held in plugins.items()
    }
    named = re.findall(r"\balias\s*\(?\s*(\w+)\.plugins\.([\w.]+)", text)
    told = (
        _PUBLISHED.get(f"{catalog}.{name}") or known.get(name.removesuffix(".get"))
        for catalog, name in named
    )
    return [one for one in told if one]


_PUBLISHED = {"ktorLibs.ktor": "io.ktor.plugin"}
"""Plugins in the catalogs of others."""


def _settings(folder: Path) -> str:
    return "".join(_code(folder / name) for name in _SETTINGS)


def _code(path: Path) -> str:
    """A build file without its comments."""
    return re.sub(
        r"^\s*/\*.*?\*/|(?<!:)//[^\n]*", "", text_of(path), flags=re.DOTALL | re.MULTILINE
    )
