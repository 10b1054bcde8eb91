"""PHP, whose extensions a server may ask for, too."""

import sys
from collections.abc import Sequence

from webdyno.runtime.programs import NUMBER, SBIN, Language, Program

_PACKAGES = {
    "pdo_pgsql": "pgsql",
    "mysqli": "mysql",
    "pdo_mysql": "mysql",
    "pdo_sqlite": "sqlite3",
    **dict.fromkeys(("dom", "simplexml", "xmlreader", "xmlwriter", "xsl"), "xml"),
    **dict.fromkeys(("ctype", "fileinfo", "iconv", "pdo", "phar", "posix", "tokenizer"), "common"),
}
"""Debian's packages of extensions that are not called as the extension is."""


def _extension_hint(version: str, extensions: Sequence[str]) -> str:
    if sys.platform == "darwin":
        return "install it: brew reinstall php, or pecl install"
    series = ".".join(version.split(".")[:2])
    packages = dict.fromkeys(_PACKAGES.get(name, name) for name in extensions)
    return f"sudo apt install {' '.join(f'php{series}-{package}' for package in packages)}"


LANGUAGE = Language(
    Program(
        "php",
        ("--version",),
        rf"^PHP {NUMBER}",
        "php-cli",
        "php",
        extensions=("-m",),
        extension_hint=_extension_hint,
    ),
    Program(
        "php-fpm",
        ("--version",),
        rf"^PHP {NUMBER}",
        "php-fpm",
        "php",
        # Debian's name holds the version, of which there may be several.
        executables=("php-fpm", *(f"php-fpm8.{minor}" for minor in range(9, 0, -1))),
        folders=SBIN,
        extensions=("-m",),
        extension_hint=_extension_hint,
    ),
    # Composer's words on a download that came to nothing.
    unreached=r"(?P<reason>curl error \d+) while downloading https?://(?P<host>[^/:\s]+)",
)
