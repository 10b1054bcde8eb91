"""Services that Gradle builds: which module, and how its start script is called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.recognised import found_in, write
from webdyno.ab.recognise import recognise


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
