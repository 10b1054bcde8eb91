"""Services that Maven and Gradle build: which module, and which of the files that are built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import found_in, write
from webdyno.ab.recognise import recognise
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.errors import UserError


@pytest.mark.parametrize(
    ("files", "run", "keys"),
    [
        (
            {"pom.xml": "<modules><module>app</module>\n<module>lib</module></modules>"},
            "java -jar NAME/target/*.jar",
            "`build` and `run`",
        ),
        (
            {"build.gradle": "", "settings.gradle": "include 'app', 'lib'\n"},
            "NAME/build/install/*/bin/*",
            "`run`",
        ),
        (
            {"build.gradle.kts": "", "settings.gradle.kts": 'include(":app")\ninclude(":lib")\n'},
            "NAME/build/install/*/bin/*",
            "`run`",
        ),
        (
            {
                "build.gradle.kts": "",
                "settings.gradle.kts": 'include(\n    ":app",  // the service\n    ":lib",\n)\n',
            },
            "NAME/build/install/*/bin/*",
            "`run`",
        ),
        (
            {
                "build.gradle": "",
                "settings.gradle": "include 'app',\n        'lib'\n// include 'old'\n",
            },
            "NAME/build/install/*/bin/*",
            "`run`",
        ),
    ],
)
def test_modules_are_named_where_one_of_them_is_the_service(
    tmp_path: Path, files: dict[str, str], run: str, keys: str
) -> None:
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == run
    assert found.open.startswith(f"the build has 2 modules; replace NAME, in {keys}, with the fold")
    assert found.open.endswith("that is the service: app and lib")
    with pytest.raises(UserError, match="the build has 2 modules"):
        resolve(PairRequest(cwd=tmp_path), Catalog(), tmp_path / "into")


RUNS = "<plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin>"


def _modules(*names: str) -> str:
    return "".join(f"<module>{name}</module>" for name in names)


def test_the_one_module_of_maven_that_can_be_started_is_the_service(tmp_path: Path) -> None:
    spring = "<parent><groupId>org.springframework.boot</groupId></parent>"
    write(
        tmp_path,
        {
            "pom.xml": f"<packaging>pom</packaging>{_modules('lib', 'services')}",
            "lib/pom.xml": "<project/>",
            "services/pom.xml": _modules("api", "model"),
            "services/api/pom.xml": spring + RUNS + "<artifactId>postgresql</artifactId>",
            "services/model/pom.xml": "<project/>",
        },
    )
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == "java -jar services/api/target/*.jar --server.port=${PORT}"
    assert (found.open, found.is_template, found.services) == ("", False, ("postgresql",))
    # Of several it is the only one that is called as services are; else they alone are named.
    write(tmp_path, {"services/model/pom.xml": RUNS})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.open, found.package) == ("", "services/api")
    write(tmp_path, {"services/pom.xml": _modules("api", "model", "web")})
    write(tmp_path, {"services/web/pom.xml": RUNS})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run.startswith("java -jar NAME/target/*.jar")
    assert found.open.endswith("services/api, services/model and services/web")


SPRING = "<parent><groupId>org.springframework.boot</groupId></parent>"
WAR = "<packaging>war</packaging>"


def _plugin(name: str, more: str = "") -> str:
    return f"<plugin><artifactId>{name}</artifactId>{more}</plugin>"


@pytest.mark.parametrize("module", ["", "services/api"])
def test_jars_beside_the_one_that_is_started_are_removed(tmp_path: Path, module: str) -> None:
    pom = "<mainClass>a.B</mainClass>"
    write(tmp_path, {"pom.xml": _modules("services/api", "lib") if module else pom})
    if module:
        write(tmp_path, {"services/api/pom.xml": pom, "lib/pom.xml": ""})
    found = found_in(tmp_path)
    built = tmp_path / module / "target"
    beside = [f"shop-1.0{one}.jar" for one in ("-sources", "-javadoc", "-tests")]
    for name in ("original-shop-1.0.jar", "shop-1.0.jar", *beside):
        write(built, {name: ""})
    subprocess.run(["sh", "-c", found.build[-1]], cwd=tmp_path, check=True)
    run = found.run.replace("java -jar", "echo")
    said = subprocess.run(["sh", "-c", run], cwd=tmp_path, check=True, capture_output=True)
    assert said.stdout.decode().split() == [f"{module}/target/shop-1.0.jar".lstrip("/")]


@pytest.mark.parametrize(
    ("pom", "run", "said"),
    [
        (
            f"{SPRING}{WAR}{_plugin('spring-boot-maven-plugin')}",
            "java -jar target/*.war --server.port=${PORT}",
            "",
        ),
        (f"<project>{WAR}</project>", "", "it is packaged as a war, for a servlet container; "),
        (f"<!-- {WAR} --><mainClass>a.B</mainClass>", "java -jar target/*.jar", ""),
        (
            SPRING
            + _plugin("maven-x-plugin", "<classifier>y</classifier>")
            + _plugin("spring-boot-maven-plugin", "<classifier>exec</classifier>"),
            "java -jar target/*-exec.jar --server.port=${PORT}",
            "",
        ),
        (
            _plugin("maven-shade-plugin", "<shadedArtifactAttached>true</shadedArtifactAttached>"),
            "java -jar target/*-shaded.jar",
            "",
        ),
        (
            _plugin(
                "maven-assembly-plugin", "<descriptorRef>jar-with-dependencies</descriptorRef>"
            ),
            "java -jar target/*-jar-with-dependencies.jar",
            "",
        ),
    ],
)
def test_the_file_that_can_be_started_is(tmp_path: Path, pom: str, run: str, said: str) -> None:
    write(tmp_path, {"pom.xml": pom})
    found = found_in(tmp_path)
    assert found.run == run
    assert found.open.startswith(said)
    assert bool(found.open) == bool(said)


@pytest.mark.parametrize(
    ("manifest", "text", "name", "needed"),
    [
        ("pom.xml", "<project/>", "mvnw", ".mvn/wrapper/maven-wrapper.properties"),
        ("build.gradle", "", "gradlew", "gradle/wrapper/gradle-wrapper.jar"),
    ],
)
def test_the_script_that_brings_a_build_tool_is_started_as_its_mode_allows(
    manifest: str, text: str, name: str, needed: str, tmp_path: Path
) -> None:
    def started() -> str:
        found = recognise(tmp_path)
        assert found is not None
        return found.build[0].partition(" -")[0]

    own = {"mvnw": "mvn", "gradlew": "gradle"}[name]
    write(tmp_path, {manifest: text, name: "#!/bin/sh\n"})
    (tmp_path / name).chmod(0o755)
    # By itself it does nothing.
    assert started() == own
    found = recognise(tmp_path)
    assert found is not None
    assert any("without which gradlew does nothing" in one for one in found.to_do) == (
        name == "gradlew"
    )
    write(tmp_path, {needed: ""})
    assert started() == f"./{name}"
    # As committed on Windows.
    (tmp_path / name).chmod(0o644)
    assert started() == f"sh {name}"
    # As where all jars are ignored.
    git(tmp_path, "init", "-q")
    write(tmp_path, {".gitignore": f"{Path(needed).name}\n"})
    assert started() == own


def test_a_jar_of_ktors_own_program_is_told_its_port(tmp_path: Path) -> None:
    pom = "<project><mainClass>io.ktor.server.netty.EngineMain</mainClass></project>"
    assert found_in(tmp_path, {"pom.xml": pom}).run == "java -jar target/*.jar -port=${PORT}"
