"""A service in C# on ASP.NET Core: a web project, alone or one of a solution."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import (
    MOST_NAMED,
    NAME,
    RecognisedService,
    json_of,
    says,
    table_of,
    text_of,
)
from webdyno.report.numbers import first_of

PROJECTS = "*.csproj"
SETTINGS = "appsettings.json"

_WEB = r"<Project\s[^>]*\bSdk\s*=\s*\"Microsoft\.NET\.Sdk\.Web\""
_ASSEMBLY = re.compile(r"<AssemblyName>\s*([\w.-]+)\s*</AssemblyName>")
_FIXED = re.compile(
    r"\b(?:ListenAnyIP|ListenLocalhost)\(\s*(\d{2,5})|\bUseUrls\([^)]*?:(\d{2,5})"
    r"|\bapp\.Run(?:Async)?\(\s*\"https?://[^\"]*?:(\d{2,5})|\.Urls\.Add\([^)]*?:(\d{2,5})"
)
"""What counts before the addresses of the command line."""

_PLACE = "bin/publish"
"""In the project: what lies in `bin` is not built again."""


def dotnet(folder: Path) -> RecognisedService | None:
    """By a project file, or by a solution and the projects below it."""
    alone = sorted(folder.glob(PROJECTS))
    solutions = [*folder.glob("*.sln"), *folder.glob("*.slnx")]
    if not alone and not solutions:
        return None
    depths = (
        (PROJECTS,) if alone and not solutions else (PROJECTS, f"*/{PROJECTS}", f"*/*/{PROJECTS}")
    )
    projects = [one for depth in depths for one in sorted(folder.glob(depth)) if says(one, _WEB)]
    manifest = (alone or solutions)[0].name
    if not projects:
        ask = "no project of Microsoft.NET.Sdk.Web was found; set the start command"
        return RecognisedService(manifest, "csharp", toolchain=("dotnet",), open=ask)
    if len(projects) > 1:
        names = [one.relative_to(folder).parent.as_posix() for one in projects]
        ask = (
            f"{len(projects)} projects are for the web; replace {NAME}, in `build` and `run`, with "
            f"the folder of the one that is the service: {first_of(names, MOST_NAMED)}"
        )
        build, run = _commands(NAME, "*.dll", [])
        return RecognisedService(
            manifest, "csharp", build, run, ("dotnet",), open=ask, is_template=True
        )
    project = projects[0]
    inside = project.parent.relative_to(folder).as_posix()
    assembly = _ASSEMBLY.search(text_of(project))
    name = f"{assembly[1] if assembly else project.stem}.dll"
    endpoints, asks = _endpoints(project.parent)
    build, run = _commands("" if inside == "." else inside, name, endpoints)
    first, *also = [*asks, *_fixed(project.parent)] or [""]
    return RecognisedService(
        manifest, "csharp", build, run, ("dotnet",), open=first, other_to_do=tuple(also),
        package="" if inside == "." else inside,
    )  # fmt: skip


def _commands(folder: str, program: str, endpoints: list[str]) -> tuple[tuple[str, ...], str]:
    """What builds the project in a folder, and what starts it there, where its settings are."""
    place = f"{folder}/{_PLACE}" if folder else _PLACE
    project = f" {shlex.quote(folder)}" if folder else ""
    build = f"dotnet publish{project} --configuration Release --disable-build-servers --output "
    told = " ".join(endpoints or ["--urls http://127.0.0.1:${PORT}"])
    run = f"cd {shlex.quote(place)} && exec dotnet {program} {told}"
    return (f"{build}{shlex.quote(place)}",), run


def _endpoints(folder: Path) -> tuple[list[str], list[str]]:
    """The options by which Kestrel's endpoints are told the port, where the settings name such,
    which count before --urls; and what its owner has to say of further ones."""
    held: Any = json_of(folder / SETTINGS)
    for key in ("Kestrel", "Endpoints"):
        held = table_of(held).get(key)
    urls = {name: str(table_of(one).get("Url", "")) for name, one in table_of(held).items()}
    plain = [name for name, url in urls.items() if url.startswith("http://")]
    if not urls:
        return [], []
    first = next(iter(plain or urls))
    others = [name for name in urls if name != first]
    asks = [
        f"{SETTINGS} gives Kestrel the endpoints {first_of(list(urls), MOST_NAMED)}; requests go "
        f"to {first}: leave out {first_of(others, MOST_NAMED)} during comparisons, since several "
        "copies run at once"
    ]
    option = f"--Kestrel:Endpoints:{first}:Url=http://127.0.0.1:${{PORT}}"
    # In such quotes a shell still reads the port.
    return [option if re.fullmatch(r"\w+", first) else f'"{option}"'], asks if others else []


def _fixed(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.cs")):
        if match := _FIXED.search(text_of(path)):
            port = next(filter(None, match.groups()))
            yield (
                f"{path.name} names port {port}, but several copies run at once, each on a port "
                "of its own: let it take its address from --urls"
            )
            return
