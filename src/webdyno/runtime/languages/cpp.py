"""C++, whose libraries a server asks for by the names that pkg-config knows."""

import sys
from collections.abc import Sequence

from webdyno.runtime.programs import NUMBER, Language, Program

_PACKAGES = {
    "RapidJSON": "rapidjson-dev",
    "cpp-httplib": "libcpp-httplib-dev",
    "libcrypto": "libssl-dev",
    "libpistache": "libpistache-dev",
    "libpqxx": "libpqxx-dev",
    "nlohmann_json": "nlohmann-json3-dev",
}
"""Debian's packages of libraries."""


def _libraries_hint(_version: str, libraries: Sequence[str]) -> str:
    if sys.platform == "darwin":
        return f"install what brings {', '.join(libraries)} with brew"
    packages = (_PACKAGES.get(name, f"{name}-dev") for name in libraries)
    return f"sudo apt install {' '.join(packages)}"


LANGUAGE = Language(
    Program("g++", ("--version",), rf"^\S.*\) {NUMBER}", "g++", "gcc"),
    Program("cmake", ("--version",), rf"^cmake version {NUMBER}", "cmake", "cmake", "cmake.org"),
    Program(
        "pkg-config",
        ("--version",),
        rf"^{NUMBER}",
        "pkg-config",
        "pkgconf",
        extensions=("--list-package-names",),
        extension_versions=("--modversion",),
        extension_hint=_libraries_hint,
    ),
)
