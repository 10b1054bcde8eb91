"""Spring Boot is asked in plain HTTP, and several copies of it run beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in

PORT = "--server.port=${PORT}"
POM = "<project>org.springframework.boot</project>"


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("application.yml", "server:\n  port: 8080\n", ""),
        ("application.yml", "server:\n  ssl:\n    bundle: a\n", "--server.ssl.enabled=false"),
        ("application.yaml", "management:\n  server:\n    port: 9090\n",
         "--management.server.port=0"),
        ("application.properties", "management.server.port=9090\n", "--management.server.port=0"),
        ("application.properties", "management.server.port=${ADMIN:9090}\n",
         "--management.server.port=0"),
        ("application.properties", "management.server.port=${ADMIN:0}\n", ""),
        ("config/application.yml", "grpc:\n  server:\n    port: 9091\n", "--grpc.server.port=0"),
        ("application-prod.yml", "server:\n  ssl:\n    enabled: true\n", ""),
    ],
)  # fmt: skip
def test_what_its_settings_name_beside_its_port(
    tmp_path: Path, name: str, text: str, more: str
) -> None:
    place = f"src/main/resources/{name}"
    options = f" {PORT} {more}".rstrip()
    assert found_in(tmp_path / "a", {"pom.xml": POM, place: text}).run.endswith(f".jar{options}")
    gradle = 'plugins { id("org.springframework.boot") }'
    files = {"settings.gradle": "include 'api'", "api/build.gradle": gradle, f"api/{place}": text}
    assert found_in(tmp_path / "b", files).run.endswith(f".jar{options}")
