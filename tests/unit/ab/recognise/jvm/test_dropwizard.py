"""Dropwizard is started with its command and its settings, and told its ports."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in
from webdyno.ab.recognise.template import description_text
from webdyno.catalog.descriptions.description import FILE, read_description

POM = "<project><artifactId>dropwizard-core</artifactId><mainClass>a.B</mainClass></project>"
APPLICATION = '"-Ddw.server.applicationConnectors[0].port=${PORT}"'
BOTH = f'{APPLICATION} "-Ddw.server.adminConnectors[0].port=0"'
SIMPLE = (
    "-Ddw.server.type=simple -Ddw.server.applicationContextPath=/ "
    "-Ddw.server.adminContextPath=/admin -Ddw.server.connector.type=http "
    "-Ddw.server.connector.port=${PORT}"
)
CONNECTORS = (
    "server:\n  applicationConnectors:\n    - type: http\n      port: 8080\n"
    "  adminConnectors:\n    - type: http\n      port: 8081\n"
)
SECURE = ("      port: 8080\n", "    - type: https\n      port: 8443\n")
"""The end of a connector, and one more."""


@pytest.mark.parametrize(
    ("files", "properties", "arguments"),
    [
        ({"config.yml": CONNECTORS}, BOTH, "server config.yml"),
        ({"config/shop.yaml": CONNECTORS}, BOTH, "server config/shop.yaml"),
        ({"config.yml": CONNECTORS.replace(SECURE[0], "".join(SECURE))},
         f'{BOTH} "-Ddw.server.applicationConnectors[1].port=0"', "server config.yml"),
        ({"a.yml": "server: {}\n", "shop-config.yml": CONNECTORS}, BOTH, "server shop-config.yml"),
        ({"docker-compose.yml": "services:\n", "test.yml": CONNECTORS}, BOTH, "server"),
        ({}, BOTH, "server"),
        ({"config.yml": "logging:\n  level: INFO\n"}, SIMPLE, "server config.yml"),
        ({"config.yml": "server:\n  type: simple\n  connector:\n    type: http\n    port: 80\n"},
         "-Ddw.server.connector.port=${PORT}", "server config.yml"),
        ({"config.yml": "server:\n  type: simple\n"},
         "-Ddw.server.connector.type=http -Ddw.server.connector.port=${PORT}",
         "server config.yml"),
        ({"src/main/resources/config.yml": CONNECTORS}, BOTH,
         "server src/main/resources/config.yml"),
        ({"src/main/resources/config.yml": CONNECTORS,
          "src/main/java/a/B.java": "new ResourceConfigurationSourceProvider()"},
         BOTH, "server config.yml"),
    ],
)  # fmt: skip
def test_a_jar_of_maven_is_told_its_ports(
    tmp_path: Path, files: dict[str, str], properties: str, arguments: str
) -> None:
    found = found_in(tmp_path, {"pom.xml": POM, **files})
    assert found.run == f"java {properties} -jar target/*.jar {arguments}"
    assert found.to_do == ()
    (tmp_path / FILE).write_text(description_text("shop", found))
    run = read_description(tmp_path / FILE).run
    assert run is not None
    # A shell finds the jar, and leaves the brackets.
    assert list(run.command) == ["sh", "-c", f"exec {found.run}"]


def test_a_port_that_cannot_be_told_is_said(tmp_path: Path) -> None:
    settings = CONNECTORS.partition("  adminConnectors")[0]
    found = found_in(tmp_path, {"pom.xml": POM, "config.yml": settings})
    assert found.run == f"java {APPLICATION} -jar target/*.jar server config.yml"
    assert found.to_do[0].startswith("config.yml has no adminConnectors under `server`")


@pytest.mark.parametrize(
    "files",
    [
        {"api/build.gradle": "plugins { id 'application' }\n'io.dropwizard:dropwizard-core:4.0.7'"},
        {
            "api/build.gradle": "plugins { id 'application' }\nimplementation libs.dropwizard",
            "gradle/libs.versions.toml": 'dropwizard.module = "io.dropwizard:dropwizard-core"',
        },
    ],
)
def test_a_start_script_of_gradle_is_told_them_by_its_variable(
    tmp_path: Path, files: dict[str, str]
) -> None:
    held = {"settings.gradle": "include 'api', 'lib'", "api/config.yml": CONNECTORS, **files}
    found = found_in(tmp_path, held)
    assert found.run == "api/build/install/api/bin/api server api/config.yml"
    assert found.env == {"JAVA_OPTS": BOTH.replace('"', "")}


def test_its_metrics_alone_make_no_service_of_dropwizard(tmp_path: Path) -> None:
    pom = POM.replace("dropwizard-core", "metrics-core").replace("<project>", "<!-- dropwizard -->")
    assert found_in(tmp_path, {"pom.xml": pom}).run == "java -jar target/*.jar"


DATABASE = (
    "database:\n  driverClass: {}\n  user: root\n  password: mypw\n  url: {}\n"
    "logging:\n  level: INFO\n"
)
AT_POSTGRESQL = "-Ddw.database.url=jdbc:postgresql://${PGHOST}:${PGPORT}/${PGDATABASE}"
AT_MARIADB = "-Ddw.database.url=jdbc:%s://${MYSQL_HOST}:${MYSQL_PORT}/${MYSQL_DATABASE}"


@pytest.mark.parametrize(
    ("driver", "settings", "service", "properties"),
    [
        ("postgresql", DATABASE.format("org.postgresql.Driver", "jdbc:postgresql://a/b"),
         "postgresql",
         f"{AT_POSTGRESQL} -Ddw.database.user=${{PGUSER}} -Ddw.database.password="),
        ("postgresql", DATABASE.format("org.postgresql.Driver", "${DB_URL}"), "postgresql",
         f"{AT_POSTGRESQL} -Ddw.database.user=${{PGUSER}} -Ddw.database.password="),
        ("mysql-connector-j",
         DATABASE.format("com.mysql.cj.jdbc.Driver", "${URL:-jdbc:mysql://a/b?useSSL=false}"),
         "mariadb",
         f"{AT_MARIADB % 'mysql'}?useSSL=false -Ddw.database.user=${{MYSQL_USER}} "
         "-Ddw.database.password="),
        ("mariadb-java-client",
         DATABASE.replace("database:", "store:").format(
             "org.mariadb.jdbc.Driver", "jdbc:mariadb://localhost/shop"),
         "mariadb",
         f"{AT_MARIADB.replace('.database.', '.store.') % 'mariadb'} "
         "-Ddw.store.user=${MYSQL_USER} -Ddw.store.password="),
    ],
)  # fmt: skip
def test_the_database_in_its_settings_is_the_one_that_is_started(
    tmp_path: Path, driver: str, settings: str, service: str, properties: str
) -> None:
    pom = POM.replace("<mainClass>", f"<artifactId>{driver}</artifactId><mainClass>")
    found = found_in(tmp_path, {"pom.xml": pom, "config.yml": settings})
    assert (found.services, found.uses_database) == ((service,), True)
    assert found.env == {"JAVA_TOOL_OPTIONS": properties}
    assert (found.prepare, found.to_do) == ((), ())


def test_its_migrations_are_run_by_the_program_itself(tmp_path: Path) -> None:
    needs = "dropwizard-migrations</artifactId><artifactId>postgresql</artifactId><mainClass>"
    settings = DATABASE.format("org.postgresql.Driver", "jdbc:postgresql://a/b")
    files = {"config.yml": f"{CONNECTORS}{settings}"}
    pom = POM.replace("<mainClass>", f"<artifactId>{needs}")
    found = found_in(tmp_path, {"pom.xml": pom, **files})
    assert found.prepare == ("java -jar target/*.jar db migrate config.yml",)


def test_a_database_that_lies_in_the_program_is_none_to_be_started(tmp_path: Path) -> None:
    pom = POM.replace("<mainClass>", "<artifactId>postgresql</artifactId><mainClass>")
    settings = DATABASE.format("org.h2.Driver", "jdbc:h2:./target/example")
    found = found_in(tmp_path, {"pom.xml": pom, "config.yml": settings})
    assert (found.uses_database, found.env) == (False, {})


def test_a_command_of_that_name_in_another_language_is_none_of_its(tmp_path: Path) -> None:
    files = {
        "go.mod": "module shop\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n"
        "\tgithub.com/lib/pq v1.10.0\n)\n",
        "main.go": "package main\n"
        "func main() { rootCmd.AddCommand(serverCmd); rootCmd.Execute() }\n"
        'var rootCmd = &cobra.Command{Use: "shop"}\n'
        'var serverCmd = &cobra.Command{Use: "server"}\n',
        "config.yml": "server:\n  port: 8080\ndatabase:\n"
        "  url: postgresql://user:secret@localhost/shop\n",
        "migrations/000001_one.up.sql": "CREATE TABLE a (b INTEGER);\n",
        "migrations/000001_one.down.sql": "DROP TABLE a;\n",
    }
    found = found_in(tmp_path, files)
    assert found.run.endswith(" server")
    assert found.services == ("postgresql",)
    assert "JAVA_TOOL_OPTIONS" not in found.env
