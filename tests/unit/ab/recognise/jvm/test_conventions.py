"""What the modules of a Gradle build have in common, in a plugin of the build's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in

APPLIES = 'plugins {\n  id("shop.service")\n}\n'
SPRING = 'plugins {\n  id("org.springframework.boot")\n}\n'


@pytest.mark.parametrize(
    ("settings", "place"), [("", "buildSrc"), ('includeBuild("build-logic")\n', "build-logic")]
)
def test_it_is_looked_for_where_gradle_finds_it(tmp_path: Path, settings: str, place: str) -> None:
    files = {
        "settings.gradle.kts": f'{settings}include(":api", ":core")\n',
        "api/build.gradle.kts": APPLIES,
        "core/build.gradle.kts": "plugins {\n  `java-library`\n}\n",
        f"{place}/src/main/kotlin/shop.service.gradle.kts": SPRING,
        f"{place}/src/main/kotlin/shop.other.gradle.kts": "plugins { application }\n",
    }
    found = found_in(tmp_path, files)
    assert found.build == ("gradle --no-daemon --quiet bootJar",)
    assert found.run == "java -jar api/build/libs/*.jar --server.port=${PORT}"
    assert found.package == "api"


@pytest.mark.parametrize(
    ("names", "package"),
    [(("api", "worker"), "api"), (("api", "web"), ""), (("one", "two"), "")],
)
def test_of_several_the_one_called_as_services_are_is_taken(
    tmp_path: Path, names: tuple[str, str], package: str
) -> None:
    files = {f"{one}/build.gradle.kts": SPRING for one in names}
    modules = ", ".join(f'":{one}"' for one in names)
    found = found_in(tmp_path, {**files, "settings.gradle.kts": f"include({modules})\n"})
    assert (found.package, found.is_template) == (package, not package)
