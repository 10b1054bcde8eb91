"""A copy of a server under another name: its sources, its build files and its manifest."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.runtime.builds.sources import copy_files, source_of

_NAME = re.compile(r'^(\ufeff?name\s*=\s*)"[^"]*"', re.MULTILINE)
_POM = re.compile(r"(<groupId>webdyno\.servers</groupId>\s*<artifactId>)[^<]+(</artifactId>)")
_BUILD_FILES = ("package.json", "package-lock.json", "composer.json", "go.mod")
"""Those that hold a project's own name where ours do: `webdyno-LANGUAGE-NAME` and the like."""


def copy_server(server: Server, folder: Path) -> list[Path]:
    """Copy the sources of `server` to `folder`, whose own name becomes the server's; gives the
    files. What its code calls its packages and classes stays.

    Raises `UserError` where it cannot be written.
    """
    name, sources = folder.name, source_of(server)
    try:
        copy_files(sources, server.folder, folder)
        written = [folder / path.relative_to(server.folder) for path in sources]
        for path in written:
            if path.suffix == ".go" or path.name in (*_BUILD_FILES, "pom.xml", "server.toml"):
                text = path.read_text(encoding="utf-8")
                changed = _renamed(path.name, text, server, name)
                if changed != text:
                    path.write_text(changed, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{error.filename or folder}: cannot be copied ({error.strerror}); make it readable, "
            f"and {folder.parent} writable"
        ) from None
    return written


def _renamed(file: str, text: str, server: Server, name: str) -> str:
    language, old = server.manifest.language, server.manifest.name
    if file == "server.toml":
        text = _NAME.sub(rf'\g<1>"{name}"', text, count=1)
        # Maven calls a server's archive as its project.
        pom = (server.folder / "pom.xml").is_file()
        return text.replace(f'"target/{old}.jar"', f'"target/{name}.jar"') if pom else text
    if file == "pom.xml":
        return _POM.sub(rf"\g<1>{name}\g<2>", text, count=1)
    for before in (f"webdyno-{language}-", f"webdyno/servers/{language}/", f"webdyno/{language}-"):
        text = re.sub(rf"{re.escape(before + old)}(?![\w.-])", before + name, text)
    return text
