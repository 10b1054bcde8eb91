"""A service on ASP.NET Core: its project, its address, and where its database is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

WEB = '<Project Sdk="Microsoft.NET.Sdk.Web">{}</Project>'
LIBRARY = '<Project Sdk="Microsoft.NET.Sdk"></Project>'
NPGSQL = '<PackageReference Include="Npgsql" Version="9" />'
MYSQL = '<PackageReference Include="Pomelo.EntityFrameworkCore.MySql" Version="9" />'
PUBLISH = "dotnet publish{} --configuration Release --disable-build-servers --output {}"


def test_a_project_alone(tmp_path: Path) -> None:
    found = found_in(tmp_path, {"Shop.csproj": WEB})
    assert found.build == (PUBLISH.format("", "bin/publish"),)
    assert found.run == "cd bin/publish && exec dotnet Shop.dll --urls http://127.0.0.1:${PORT}"
    assert (found.language, found.toolchain, found.to_do) == ("csharp", ("dotnet",), ())


def test_the_web_project_of_a_solution(tmp_path: Path) -> None:
    web = WEB.format("<AssemblyName>shop</AssemblyName>")
    files = {"Shop.sln": "", "src/Api/Api.csproj": web, "src/Core/Core.csproj": LIBRARY}
    found = found_in(tmp_path, files)
    assert found.build == (PUBLISH.format(" src/Api", "src/Api/bin/publish"),)
    assert found.run.startswith("cd src/Api/bin/publish && exec dotnet shop.dll ")
    files["src/Admin/Admin.csproj"] = WEB
    found = found_in(tmp_path, files)
    assert found.is_template
    assert "src/Admin and src/Api" in found.open


@pytest.mark.parametrize(
    ("endpoints", "told", "asks"),
    [
        ({"Http": "http://*:5000"}, "--Kestrel:Endpoints:Http:Url=http://127.0.0.1:${PORT}", False),
        (
            {"Tls": "https://*:1", "Http": "http://*:5000"},
            "--Kestrel:Endpoints:Http:Url=http://127.0.0.1:${PORT}",
            True,
        ),
        ({}, "--urls http://127.0.0.1:${PORT}", False),
    ],
)
def test_endpoints_of_its_settings_count_before_its_urls(
    tmp_path: Path, endpoints: dict[str, str], told: str, asks: bool
) -> None:
    held = {"Kestrel": {"Endpoints": {name: {"Url": url} for name, url in endpoints.items()}}}
    found = found_in(tmp_path, {"Shop.csproj": WEB, "appsettings.json": json.dumps(held)})
    assert found.run.endswith(f" {told}")
    assert bool(found.to_do) is asks


def test_its_settings_may_have_comments_and_names_of_two_words(tmp_path: Path) -> None:
    text = '{ // ours\n"Kestrel": {"Endpoints": {"My Http": {"Url": "http://*:5000"}}} /* all */ }'
    found = found_in(tmp_path, {"Shop.csproj": WEB, "appsettings.json": text})
    assert found.run.endswith(' "--Kestrel:Endpoints:My Http:Url=http://127.0.0.1:${PORT}"')


def test_a_port_in_its_program_is_told(tmp_path: Path) -> None:
    code = 'app.Run("http://0.0.0.0:5000");'
    found = found_in(tmp_path, {"Shop.csproj": WEB, "Program.cs": code})
    assert found.open.startswith("Program.cs names port 5000")


@pytest.mark.parametrize(
    ("driver", "service", "address"),
    [
        (NPGSQL, "postgresql", "Host=${PGHOST};Port=${PGPORT};Database=${PGDATABASE};"
         "Username=${PGUSER}"),
        (MYSQL, "mariadb", "Server=${MYSQL_HOST};Port=${MYSQL_PORT};Database=${MYSQL_DATABASE};"
         "User ID=${MYSQL_USER}"),
    ],
)  # fmt: skip
def test_the_database_that_it_migrates_itself(
    tmp_path: Path, driver: str, service: str, address: str
) -> None:
    held = {"ConnectionStrings": {"Shop": "Host=db;Database=shop;Password=secret", "Blob": "x=y"}}
    files = {"Shop.csproj": WEB.format(driver), "appsettings.json": json.dumps(held)}
    assert not found_in(tmp_path, files).uses_database
    found = found_in(tmp_path, {"Program.cs": "db.Database.Migrate();"})
    assert (found.services, found.uses_database) == ((service,), True)
    assert found.env == {"ConnectionStrings__Shop": address}
    # A string of SQL Server is none of theirs.
    held["ConnectionStrings"] = {"Old": "Server=x;TrustServerCertificate=True"}
    assert found_in(tmp_path, {"appsettings.json": json.dumps(held)}).env == {}


def test_a_project_beside_it_is_seen(tmp_path: Path) -> None:
    web = WEB.format(r'<ProjectReference Include="..\Core\Core.csproj" />')
    found = found_in(tmp_path / "Api", {"Api.csproj": web, "../Core/Core.csproj": LIBRARY})
    assert "it needs ../Core, but a build sees only this folder" in found.open
