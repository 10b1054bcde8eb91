"""A service that Gradle builds."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.modules import which_module
from webdyno.ab.recognise.recognised import (
    NAME,
    Recognised,
    table_of,
    text_of,
    toml_of,
)

_BUILDS = ("build.gradle.kts", "build.gradle")
_SETTINGS = ("settings.gradle.kts", "settings.gradle")
_SPRING = "org.springframework.boot"

_INCLUDED = re.compile(r"\binclude\b\s*\(?\s*\[?\s*((?:[\"'][^\"'\n]+[\"']\s*,?\s*)+)")
"""The modules that a call names, over several lines as well, in Kotlin and in Groovy."""


def gradle(folder: Path) -> Recognised | None:
    """By Gradle's files."""
    names = (*_BUILDS, *_SETTINGS)
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    tool = "./gradlew" if (folder / "gradlew").is_file() else "gradle"
    settings = "".join(_code(folder / name) for name in _SETTINGS)
    modules = [
        one.strip(":").replace(":", "/")
        for call in _INCLUDED.findall(settings)
        for one in re.findall(r"[\"']([^\"']+)[\"']", call)
    ]
    spring = any(_names_spring(folder, one) for one in ("", *modules))
    language = "kotlin" if (folder / "src/main/kotlin").is_dir() else "java"
    task = "bootJar" if spring else "installDist"
    run = "java -jar build/libs/*.jar --server.port=${PORT}" if spring else "build/install/*/bin/*"
    ask = "" if spring else "check that `run` names the start script"
    if modules:
        run = run.replace("build/", f"{NAME}/build/", 1)
    return Recognised(
        manifest, language, (f"{tool} --no-daemon --quiet {task}",), run, ("java",),
        open=which_module(modules, "`run`") or ask, is_template=bool(modules),
    )  # fmt: skip


def _names_spring(folder: Path, module: str) -> bool:
    """Whether a module's build file names Spring Boot's plugin, itself or by the catalog."""
    text = "".join(_code(folder / module / name) for name in (*_BUILDS, *_SETTINGS))
    if _SPRING in text:
        return True
    applied = re.findall(r"\balias\s*\(?\s*libs\.plugins\.([\w.]+)", text)
    return bool(_springs(folder) & {name.removesuffix(".get") for name in applied})


def _springs(folder: Path) -> set[str]:
    """What Spring Boot's plugin is called in the catalog of versions, as build files write it."""
    plugins = table_of(toml_of(folder / "gradle/libs.versions.toml").get("plugins"))
    return {
        re.sub(r"[-_]", ".", name)
        for name, held in plugins.items()
        if str(table_of(held).get("id", held)).partition(":")[0] == _SPRING
    }


def _code(path: Path) -> str:
    """A build file without its comments."""
    return re.sub(
        r"^\s*/\*.*?\*/|(?<!:)//[^\n]*", "", text_of(path), flags=re.DOTALL | re.MULTILINE
    )
