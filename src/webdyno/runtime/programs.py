"""The programs that Webdyno knows: how each tells its version, where it hides, who installs it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """One program. `pattern` captures the version in what `arguments` make it print."""

    name: str
    arguments: tuple[str, ...]
    pattern: str
    apt: str = ""
    brew: str = ""
    page: str = ""
    """Where newer versions come from, for when a distribution's is too old."""
    hint: str = ""
    """Where it comes from on each system, where that takes more than a package's name."""
    executables: tuple[str, ...] = ()
    """Names to look for, best first; the program's own name where there are none."""
    folders: tuple[str, ...] = field(default=())
    """Globs of folders outside PATH in which distributions put it."""
    extensions: tuple[str, ...] = ()
    """What makes it list its extensions, a line each; empty where it has none."""

    def version_in(self, text: str) -> str | None:
        """The version in the program's own output, such as `20.20.2`; None where there is none."""
        match = re.search(self.pattern, _COLOUR.sub("", text), re.MULTILINE)
        return match[1] if match else None

    def install_hint(self, minimum: str) -> str:
        """One clause that says how to get the program in at least version `minimum`."""
        newer = f"version {minimum} or newer" if minimum else "it"
        if self.hint:
            return f"install {newer}: {self.hint}"
        command = self._command()
        if command and self.page:
            return f"install {newer}: {command} (where that is too old: {self.page})"
        return f"install {newer}: {command or self.page}"

    def extension_hint(self, version: str, extensions: Sequence[str]) -> str:
        """How to get `extensions` of a program of `version`: by Debian's names of packages."""
        if sys.platform == "darwin":
            return f"install it: brew reinstall {self.brew}, or pecl install"
        series = ".".join(version.split(".")[:2])
        packages = dict.fromkeys(_PHP_PACKAGES.get(name, name) for name in extensions)
        return f"sudo apt install {' '.join(f'php{series}-{package}' for package in packages)}"

    def _command(self) -> str:
        if sys.platform == "darwin":
            return f"brew install {self.brew}" if self.brew else ""
        return f"sudo apt install {self.apt}" if self.apt else ""


_PHP_PACKAGES = {
    "pdo_pgsql": "pgsql",
    "mysqli": "mysql",
    "pdo_mysql": "mysql",
    "pdo_sqlite": "sqlite3",
    **dict.fromkeys(("dom", "simplexml", "xmlreader", "xmlwriter", "xsl"), "xml"),
    **dict.fromkeys(("ctype", "fileinfo", "iconv", "pdo", "phar", "posix", "tokenizer"), "common"),
}
"""Debian's packages of extensions that are not called as the extension is."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NUMBER = r"(\d+(?:\.\d+)*)"
_SBIN = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")

PROGRAMS = {
    program.name: program
    for program in (
        Program("node", ("--version",), rf"^v{_NUMBER}", "nodejs", "node", "nodejs.org"),
        Program("npm", ("--version",), rf"^{_NUMBER}", "npm", "node", "nodejs.org"),
        # The interpreter that runs us is the one that servers are built with.
        Program("python", ("--version",), rf"^Python {_NUMBER}", "python3-venv", "python"),
        Program("go", ("version",), rf"go version go{_NUMBER}", "golang-go", "go", "go.dev/dl"),
        Program("cargo", ("--version",), rf"^cargo {_NUMBER}", "cargo", "rust", "rustup.rs"),
        Program(
            "java",
            ("-version",),
            # Java 8 still calls itself 1.8.
            rf'version "(?:1\.)?{_NUMBER}',
            "default-jdk-headless",
            "openjdk",
            "adoptium.net",
        ),
        Program(
            "javac",
            ("-version",),
            rf"^javac (?:1\.)?{_NUMBER}",
            "default-jdk-headless",
            "openjdk",
            "adoptium.net",
        ),
        Program(
            "mvn", ("--version",), rf"^Apache Maven {_NUMBER}", "maven", "maven", "maven.apache.org"
        ),
        Program("php", ("--version",), rf"^PHP {_NUMBER}", "php-cli", "php", extensions=("-m",)),
        Program(
            "php-fpm",
            ("--version",),
            rf"^PHP {_NUMBER}",
            "php-fpm",
            "php",
            # Debian's name holds the version, of which there may be several.
            executables=("php-fpm", *(f"php-fpm8.{minor}" for minor in range(9, 0, -1))),
            folders=_SBIN,
            extensions=("-m",),
        ),
        Program("nginx", ("-v",), rf"nginx/{_NUMBER}", "nginx-light", "nginx", folders=_SBIN),
        Program(
            "swift",
            ("--version",),
            rf"Swift version {_NUMBER}",
            hint="Debian 13 and later: sudo apt install swiftlang; Ubuntu and older Debian: "
            "swift.org/install/linux; macOS: xcode-select --install",
        ),
        Program(
            "postgres",
            ("--version",),
            rf"\(PostgreSQL\) {_NUMBER}",
            "postgresql",
            "postgresql",
            folders=("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", *_SBIN),
        ),
        Program(
            "mariadb",
            ("--version",),
            rf"Ver {_NUMBER}-MariaDB",
            "mariadb-server",
            "mariadb",
            executables=("mariadbd", "mysqld"),
            folders=_SBIN,
        ),
        Program("wrk", ("-v",), rf"^wrk (?:debian/)?{_NUMBER}", "wrk", "wrk"),
        Program(
            "jmeter",
            ("--version",),
            rf"(?:^|[ \\/_]){_NUMBER}\s*$",
            "jmeter",
            "jmeter",
            "jmeter.apache.org",
        ),
    )
}
"""By name, in the order in which `doctor` shows them."""
