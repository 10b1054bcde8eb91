"""Ports that stand in a service's settings: its own are told, its database's are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in, write
from webdyno.ab.recognise.settings.config_files import named_ports, variables_read_in_files

GO = {"go.mod": "module x\n", "main.go": "package main\n"}
NODE = {"package.json": '{"main": "a.js"}', "a.js": "app.listen(config.port)"}


@pytest.mark.parametrize(
    ("name", "text", "ports"),
    [
        ("config/default.json", '{"port": 4000, "db": {"port": 5432}}', ["4000"]),
        ("config.json", '{"server": {"addr": ":8080"}, "metrics": {"port": 9100}}', ["8080"]),
        ("config.toml", 'listen = "127.0.0.1:8080"\n[redis]\nport = 6379\n', ["8080"]),
        ("config/default.toml", "[application]\nport = 8000\n", ["8000"]),
        ("config.yaml", "server:\n  host: a\n  port: 8080  # ours\ndb:\n  port: 5432\n", ["8080"]),
        ("configs/config.yml", "db:\n  port: 5432\nhttp:\n  addr: '0.0.0.0:8000'\n", ["8000"]),
        ("config.yml", "server:\n  applicationConnectors:\n    - type: http\n      port: 8080\n",
         ["8080"]),
        ("src/main/resources/application.yaml", "ktor:\n  deployment:\n    port: 8080\n", ["8080"]),
        ("src/main/resources/application.conf", "ktor {\n  deployment {\n    port = 8080\n  }\n}\n",
         ["8080"]),
        ("etc/config.yaml", "server.port: 80\nserver.portal: 81\n", ["80"]),
        ("config/test.json", '{"port": 1234}', []),
        ("conf/app.ini", "[db]\nPort = 5432\n\n[server]\nHttpPort = 8000\n", ["8000"]),
        ("config.yaml", "server:\n  port: ${PORT:8080}\n", []),
        ("config.yaml", "# port: 8080\nimport: 8080\n", []),
        # Of a URL of another service, and of what has an anchor or a name of two words.
        ("config/default.json", '{"url": "http://auth:8081", "addr": "redis:6379"}', []),
        ("config/default.json", '{"url": "http://localhost:80", "port": 81}', ["81", "80"]),
        ("config/default.yaml", "db: &db\n  port: 5432\nserver: !x\n  port: 3000\n", ["3000"]),
        ("conf/app.ini", '[database "main"]\nport = 5432\n[ server ]\nport = 80\n', ["80"]),
    ],
)  # fmt: skip
def test_the_port_of_the_service_itself_is_found(
    tmp_path: Path, name: str, text: str, ports: list[str]
) -> None:
    write(tmp_path, {name: text})
    assert [one.port for one in named_ports(tmp_path)] == ports


def test_init_tells_of_it(tmp_path: Path) -> None:
    found = found_in(tmp_path, {**GO, "config.yaml": "server:\n  port: 8080\n"})
    assert found.to_do[0].startswith("config.yaml names port 8080, but several copies")
    assert "sed -i" in found.to_do[0]


@pytest.mark.parametrize(
    "files",
    [
        {"config.yaml": "port: ${PORT:8080}\n"},
        {"config.yaml": "port: 8080\n", "b.go": 'os.Getenv("PORT")'},
        {"config.yaml": "port: 8080\n", ".env.example": "PORT=8080\n"},
    ],
)
def test_not_where_it_asks_for_its_port(tmp_path: Path, files: dict[str, str]) -> None:
    assert found_in(tmp_path, {**GO, **files}).to_do == ()


def test_node_config_is_told_by_its_own_variable(tmp_path: Path) -> None:
    package = '{"main": "a.js", "dependencies": {"config": "3"}}'
    files = {**NODE, "package.json": package, "config/default.json": '{"server": {"port": 8080}}'}
    env = found_in(tmp_path, files).env
    told = json.loads(env["NODE_CONFIG"].replace("${PORT}", "4711"))
    assert told == {"server": {"port": 4711}}
    files["config/custom-environment-variables.json"] = '{"server": {"port": "PORT"}}'
    write(tmp_path, files)
    assert variables_read_in_files(tmp_path) == {"PORT"}
    assert "NODE_CONFIG" not in found_in(tmp_path).env


def test_a_sample_names_the_variable_that_a_library_reads(tmp_path: Path) -> None:
    found = found_in(tmp_path, {**NODE, ".env.example": "SERVER_PORT=4000\nDB_PORT=1\n"})
    assert found.env["SERVER_PORT"] == "${PORT}"
    files = {"a.js": "app.listen(3000)", ".env.example": "API_PORT=4000\n"}
    told = found_in(tmp_path / "b", {**NODE, **files})
    assert told.to_do[0].startswith("a.js names port 3000")


@pytest.mark.parametrize(
    ("files", "env"),
    [
        (
            {
                "Cargo.toml": '[package]\nname = "x"\nedition = "2021"\n',
                "src/main.rs": 'with_prefix("APP").prefix_separator("_").separator("__")',
                "configuration/base.yaml": "application:\n  port: 8000\n",
            },
            {"APP_APPLICATION__PORT": "${PORT}"},
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "x"\nedition = "2021"\n',
                "src/main.rs": 'figment.merge(Env::prefixed("SHOP_").split("__"))',
                "config.toml": '[server]\naddr = "0.0.0.0:8000"\n',
            },
            {"SHOP_SERVER__ADDR": "127.0.0.1:${PORT}"},
        ),
        (
            {
                **GO,
                "b.go": 'viper.SetEnvPrefix("shop")\nSetEnvKeyReplacer(x)\nviper.AutomaticEnv()',
                "config.yaml": "server:\n  port: 8080\n",
            },
            {"SHOP_SERVER_PORT": "${PORT}"},
        ),
        ({**GO, "b.go": "viper.AutomaticEnv()", "config.yaml": "server:\n  port: 8080\n"}, {}),
        ({**GO, "b.go": "viper.AutomaticEnv()", "config.yaml": "http_port: 8080\n"},
         {"HTTP_PORT": "${PORT}"}),
    ],
)  # fmt: skip
def test_a_library_that_takes_a_variable_for_each_key(
    tmp_path: Path, files: dict[str, str], env: dict[str, str]
) -> None:
    found = found_in(tmp_path, files)
    assert (found.env, bool(found.to_do)) == (env, not env)
