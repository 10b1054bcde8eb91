"""A service that Maven builds: its module, and the one of the jars there that can be started."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    says,
    text_of,
    wrapper_of,
)

_EXECUTABLE = r"spring-boot-maven-plugin|quarkus-maven-plugin|<mainClass>"
"""What a module's pom says where it builds a jar that can be started."""

_BESIDE = ("original-*.jar", "*-sources.jar", "*-javadoc.jar", "*-tests.jar")
"""Jars that plugins leave beside it: what shade began with, and what is published."""


def maven(folder: Path) -> RecognisedService | None:
    """By pom.xml."""
    if not (folder / "pom.xml").is_file():
        return None
    wrapper = wrapper_of(folder, "mvnw", ".mvn/wrapper/maven-wrapper.properties")
    tool = wrapper or "mvn"
    build = [f"{tool} --batch-mode --quiet -DskipTests package"]
    needed = ("java",) if wrapper else ("java", "mvn")
    modules = list(modules_of(folder))
    services = likely_of([one for one in modules if says(folder / one / "pom.xml", _EXECUTABLE)])
    one = services[0] if len(services) == 1 else ""
    poms = _text(folder) + (_text(folder / one) if one else "")
    is_template = bool(modules) and not one
    target = f"{one or NAME}/target" if modules else "target"
    also = ""
    if "quarkus" in poms:
        run = f"java -Dquarkus.http.port=${{PORT}} -jar {target}/quarkus-app/quarkus-run.jar"
        keys = "`run`"
    else:
        built = _built(poms)
        if built == "*.jar":
            build.append("rm -f " + " ".join(f"{target}/{beside}" for beside in _BESIDE))
        keys = "`build` and `run`" if built == "*.jar" else "`run`"
        run = f"java -jar {target}/{built}"
        if "io.helidon" in poms:
            run = run.replace("java ", "java -Dserver.port=${PORT} ", 1)
        if is_dropwizard(poms):
            start = dropwizard_start(folder, one)
            # A shell would take the brackets for a pattern of files.
            told = " ".join(f'"{name}"' if "[" in name else name for name in start.properties)
            run, also = f"{run.replace('java ', f'java {told} ', 1)} {start.arguments}", start.ask
        if takes_port(poms, folder / one):
            run += OPTION
        if "org.springframework.boot" in poms:
            run += f" {spring_options(folder / one)}"
    ask = which_module(services or modules, keys) if is_template else ""
    if not is_template and _needs_container(poms):
        run = ""
        ask = "it is packaged as a war, for a servlet container; set the command that starts that"
    return RecognisedService(
        "pom.xml", "java", tuple(build), run, needed,
        open=ask, other_to_do=(also,) if also else (), package=one, is_template=is_template,
        env=MICRONAUT_PORT if "io.micronaut" in poms and run else {},
    )  # fmt: skip


def _text(folder: Path) -> str:
    return re.sub(r"<!--.*?-->", "", text_of(folder / "pom.xml"), flags=re.DOTALL)


def _built(poms: str) -> str:
    """The file in the folder of what is built that can be started: the name that a plugin gives to
    it where it keeps the usual one for the module's own classes."""
    if re.search(r"<packaging>\s*war\s*</packaging>", poms):
        return "*.war"
    if classifier := _element_text(_plugin(poms, "spring-boot-maven-plugin"), "classifier"):
        return f"*-{classifier}.jar"
    shade = _plugin(poms, "maven-shade-plugin")
    if _element_text(shade, "shadedArtifactAttached") == "true":
        return f"*-{_element_text(shade, 'shadedClassifierName') or 'shaded'}.jar"
    assembly = _plugin(poms, "maven-assembly-plugin")
    name = _element_text(assembly, "descriptorRef")
    is_beside = _element_text(assembly, "appendAssemblyId") != "false"
    return f"*-{name}.jar" if name == "jar-with-dependencies" and is_beside else "*.jar"


def _needs_container(poms: str) -> bool:
    """Whether nothing makes a war one that can be started."""
    return _built(poms) == "*.war" and not re.search(_EXECUTABLE, poms)


def _plugin(poms: str, name: str) -> str:
    """What is said of a plugin; empty where it is not used."""
    plugins = re.findall(rf"<artifactId>\s*{name}\s*</artifactId>(.*?)</plugin>", poms, re.DOTALL)
    return "".join(plugins)


def has_parent_beside(folder: Path) -> bool:
    """Whether the module in `folder` takes its parent from another folder of the build."""
    parent = re.search(r"<parent>(.*?)</parent>", _text(folder), re.DOTALL)
    fetched = r"<relativePath\s*/>|<relativePath>\s*</relativePath>"
    return parent is not None and not re.search(fetched, parent[1])


def _element_text(text: str, key: str) -> str:
    element = re.search(rf"<{key}>\s*([\w.-]+)\s*</{key}>", text)
    return element[1] if element else ""


def modules_of(folder: Path, levels: int = 3) -> Iterator[str]:
    """The modules of a build, less those that only hold others; as seen from its folder."""
    for name in re.findall(r"<module>\s*([^<\s]+)\s*</module>", _text(folder)):
        below = list(modules_of(folder / name, levels - 1)) if levels > 1 else []
        yield from (f"{name}/{one}" for one in below) if below else [name]
