"""Services that `ab` does not start: `init` names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in, package


@pytest.mark.parametrize(
    ("manifest", "text", "named"),
    [
        ("package.json", package(dependencies={"ioredis": "5"}), "Redis"),
        ("package.json", package(devDependencies={"mongodb-memory-server": "5"}), ""),
        ("package.json", package(dependencies={"@bunny.net/sdk": "1", "motor": "1"}), ""),
        ("go.mod", "module x\nrequire example.org/bunny/motor v1.0.0\n", ""),
        ("Gemfile", 'gem "bunny", "~> 2"\n', "RabbitMQ"),
        ("Gemfile", 'gem "bunny_cdn"\ngem "motor-admin"\n', ""),
        ("requirements.txt", "flask\nmotor>=3\n", "MongoDB"),
        ("requirements.txt", "flask\nrobot-motor==1\n", ""),
        ("composer.json", '{"require": {"predis/predis": "2"}}', "Redis"),
        ("composer.json", '{"require-dev": {"predis/predis": "2"}}', ""),
        ("Cargo.toml", '[package]\nname = "x"\n[dev-dependencies]\nredis = "1"', ""),
        ("Cargo.toml", '[package]\nname = "x"\n[dependencies.redis]\nversion = "1"', "Redis"),
        (
            "package.json", package(dependencies={"mongoose": "8", "kafkajs": "2"}),
            "MongoDB and Kafka",
        ),
        ("go.mod", "module x\nrequire github.com/redis/go-redis/v9 v9\n", "Redis"),
        ("requirements.txt", "flask\npymongo==4\n", "MongoDB"),
        ("Gemfile", "# gem 'redis'\ngem 'rails'\n", ""),
        ("Cargo.toml", '[package]\nname = "x"\n[dependencies]\nlapin = "2"', "RabbitMQ"),
    ],
)  # fmt: skip
def test_services_that_ab_does_not_start_are_named(
    tmp_path: Path, manifest: str, text: str, named: str
) -> None:
    found = found_in(tmp_path, {"a.js": "", manifest: text})
    said = [line for line in found.to_do if "which ab does not start" in line]
    assert said == ([line for line in found.to_do if f"a client of {named}, which" in line])
    assert bool(said) == bool(named)
