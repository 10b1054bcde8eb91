"""Services that Maven and Gradle build: which module, and which of the files that are built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.git_folder import git
from unit.ab.recognise.test_recognise import found_in, write
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
    ("name", "held"),
    [
        ("spring-boot", '{ id = "org.springframework.boot", version = "3.4.0" }'),
        ("spring_boot", '"org.springframework.boot:3.4.0"'),
    ],
)
@pytest.mark.parametrize(
    ("file", "call"),
    [
        ("build.gradle.kts", "alias(libs.plugins.spring.boot)"),
        ("build.gradle", "alias libs.plugins.spring.boot"),
    ],
)
def test_spring_is_found_in_the_catalog_of_versions(
    tmp_path: Path, name: str, held: str, file: str, call: str
) -> None:
    catalog = f"[plugins]\n{name} = {held}\nspring-other = {{ id = 'org.other' }}\n"
    write(tmp_path, {file: f"plugins {{\n  {call}\n}}\n", "gradle/libs.versions.toml": catalog})
    found = found_in(tmp_path)
    assert found.build == ("gradle --no-daemon --quiet bootJar",)
    assert found.run == "java -jar build/libs/*.jar --server.port=${PORT}"
    write(tmp_path, {file: "plugins { alias(libs.plugins.spring.other) }"})
    assert found_in(tmp_path).build == (
        "gradle --no-daemon --quiet installDist",
        "find . -path '*/build/install/*/bin/*.bat' -delete",
    )


@pytest.mark.parametrize(
    ("build", "run"),
    [
        ('plugins { id("org.springframework.boot") }', "java -jar build/libs/*.jar --server.port="),
        ('plugins { id("application") }', "build/install/*/bin/*"),
    ],
)
def test_the_root_of_gradle_may_be_the_service(tmp_path: Path, build: str, run: str) -> None:
    write(tmp_path, {"settings.gradle.kts": 'include("common")', "build.gradle.kts": build})
    write(tmp_path, {"common/build.gradle.kts": "plugins { `java-library` }"})
    # Without sources it says what its modules have in common.
    assert found_in(tmp_path).package == "common"
    write(tmp_path, {"src/main/java/App.java": ""})
    found = found_in(tmp_path)
    assert (found.package, found.is_template) == ("", False)
    assert found.run.startswith(run)
    write(tmp_path, {"common/build.gradle.kts": 'plugins { id("application") }'})
    assert found_in(tmp_path).package == "common"


def test_spring_of_the_only_module_is_found_in_the_root(tmp_path: Path) -> None:
    applied = 'subprojects { apply plugin: "org.springframework.boot" }'
    write(tmp_path, {"settings.gradle": "include 'app'", "build.gradle": applied})
    found = found_in(tmp_path)
    assert found.build == ("gradle --no-daemon --quiet bootJar",)
    assert found.run == "java -jar app/build/libs/*.jar --server.port=${PORT}"


def test_spring_is_found_in_a_module(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "settings.gradle.kts": 'include("apps:web", "lib")',
            "apps/web/build.gradle.kts": 'plugins { id("org.springframework.boot") }',
        },
    )
    found = found_in(tmp_path)
    assert found.build == ("gradle --no-daemon --quiet bootJar",)
    assert found.run == "java -jar apps/web/build/libs/*.jar --server.port=${PORT}"


@pytest.mark.parametrize(
    ("build", "run", "said"),
    [
        ("plugins { application }", "build/install/my-shop/bin/my-shop", ""),
        (
            "plugins { application }\napplication { applicationName = 'x' }",
            "build/install/x/bin/x",
            "",
        ),
        (
            "plugins { application }\napplication { applicationName = name + '-x' }",
            "build/install/*/bin/*",
            "",
        ),
        ("", "build/install/my-shop/bin/my-shop", ""),
    ],
)
def test_the_start_script_of_a_root_is_called_as_its_settings_say(
    build: str, run: str, said: str, tmp_path: Path
) -> None:
    settings = "rootProject.name = 'my-shop'"
    write(tmp_path, {"build.gradle": build, "settings.gradle": settings})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.run, found.open) == (run, said)


@pytest.mark.parametrize(
    ("main", "source", "port"),
    [
        ('mainClass = "io.ktor.server.netty.EngineMain"', "", " -port=${PORT}"),
        (
            'mainClass = "shop.MainKt"',
            "fun main(args: Array<String>) = io.ktor.server.cio.EngineMain.main(args)",
            " -port=${PORT}",
        ),
        (
            'mainClass = "shop.MainKt"',
            "fun main(args: Array<String>) { embeddedServer(Netty, commandLineEnvironment(args)) }",
            " -port=${PORT}",
        ),
        ('mainClass = "shop.MainKt"', "fun main() = embeddedServer(CIO, port = 80) {}", ""),
    ],
)
def test_ktor_is_told_its_port_where_it_takes_one(
    tmp_path: Path, main: str, source: str, port: str
) -> None:
    build = f"plugins {{ application }}\napplication {{ {main} }}"
    settings = 'rootProject.name = "shop"'
    files = {"build.gradle.kts": build, "settings.gradle.kts": settings}
    write(tmp_path, {**files, "src/main/kotlin/shop/Main.kt": source})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == f"build/install/shop/bin/shop{port}"


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


@pytest.mark.parametrize("settings", ["settings.gradle", "settings.gradle.kts"])
@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("includeBuild('../y')", True),
        ('project(":y").projectDir = file("../y")', True),
        ("// includeBuild('../y')", False),
        ("includeBuild('y')", False),
    ],
)
def test_a_build_that_gradle_takes_from_beside_is_told(
    settings: str, line: str, is_told: bool, tmp_path: Path
) -> None:
    write(tmp_path, {"build.gradle": "", settings: f"{line}\n"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith("it needs ../y, but a build sees only this folder") == is_told


def test_the_script_for_another_system_is_taken_away_where_a_pattern_names_both(
    tmp_path: Path,
) -> None:
    found = found_in(tmp_path, {"build.gradle.kts": "plugins { application }"})
    assert found.run == "build/install/*/bin/*"
    place = tmp_path / "build/install/shop/bin"
    write(place, {"shop": "", "shop.bat": ""})
    subprocess.run(["sh", "-c", found.build[-1]], cwd=tmp_path, check=True)
    assert [one.name for one in place.iterdir()] == ["shop"]


def test_a_module_may_lie_elsewhere_than_its_name_says(tmp_path: Path) -> None:
    settings = 'include(":lib", ":shop")\nproject(":shop").projectDir = file("server/api")\n'
    spring = 'plugins { id("org.springframework.boot") }'
    files = {"settings.gradle.kts": settings, "server/api/build.gradle.kts": spring}
    found = found_in(tmp_path, files)
    assert found.run == "java -jar server/api/build/libs/*.jar --server.port=${PORT}"
    write(tmp_path, {"server/api/build.gradle.kts": "plugins { application }"})
    # Its script is called as the module is.
    assert found_in(tmp_path).run == "server/api/build/install/shop/bin/shop"


@pytest.mark.parametrize("alias", ["libs.plugins.ktor.server", "ktorLibs.plugins.ktor"])
def test_a_plugin_is_known_by_its_name_in_a_catalog(tmp_path: Path, alias: str) -> None:
    files = {
        "settings.gradle.kts": 'include("api", "lib")',
        "gradle/libs.versions.toml": '[plugins]\nktor-server = { id = "io.ktor.plugin" }\n',
        "api/build.gradle.kts": f"plugins {{ alias({alias}) }}",
        "lib/build.gradle.kts": "plugins { alias(libs.plugins.kotlin) }",
    }
    found = found_in(tmp_path, files)
    assert (found.run, found.open) == ("api/build/install/api/bin/api", "")


def test_a_jar_of_ktors_own_program_is_told_its_port(tmp_path: Path) -> None:
    pom = "<project><mainClass>io.ktor.server.netty.EngineMain</mainClass></project>"
    assert found_in(tmp_path, {"pom.xml": pom}).run == "java -jar target/*.jar -port=${PORT}"
