"""The environment of builds: where things are, how to reach packages, and what compilers heed.

Nothing else of yours reaches a build, so that two builds of the same digest had the same. Its home
is yours: toolchains and packages that are there are found. Where toolchains and their managers are
is told by `processes.toolchain_homes`, to servers as well.
"""

from __future__ import annotations

import os

from webdyno.runtime.processes.toolchain_homes import is_among, locates

PLACES = (
    "HOME", "TMPDIR", "USER", "LOGNAME", "XDG_*", "GOPATH", "GOCACHE", "GOMODCACHE",
    "GRADLE_USER_HOME", "SWIFTPM_*", "HEX_HOME", "MIX_HOME", "MIX_ARCHIVES", "MIX_REBAR3",
    "MIX_XDG", "NUGET_PACKAGES", "DOTNET_CLI_HOME", "DENO_DIR", "PNPM_HOME", "COREPACK_HOME",
    "ZIG_GLOBAL_CACHE_DIR",
)  # fmt: skip
"""Where caches and homes are."""

PACKAGES = (
    "*_PROXY", "*_proxy", "SSL_CERT_*", "NIX_SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS",
    "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_*", "GIT_CONFIG_*", "PIP_*", "npm_config_*",
    "NPM_CONFIG_*", "YARN_*", "GOPROXY", "GONOSUMDB", "GONOSUMCHECK", "GOSUMDB", "GOPRIVATE",
    "GOINSECURE", "GOTOOLCHAIN", "CARGO_HTTP_*", "CARGO_NET_*", "CARGO_REGISTRIES_*",
    "CARGO_REGISTRY_*", "CARGO_SOURCE_*", "MAVEN_ARGS", "COMPOSER_*", "HEX_*", "SSH_AUTH_SOCK",
    "UV_*", "POETRY_*", "PDM_*", "PIPENV_*", "BUNDLE_*",
)  # fmt: skip
"""How packages are reached; locked versions make them the same from wherever they come."""

COMPILERS = (
    "CC", "CXX", "AR", "LD", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "RUSTFLAGS", "RUSTC*",
    "CARGO_BUILD_*", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PROFILE_*", "CGO_*", "GOFLAGS", "GOAMD64",
    "GOARM64", "GOEXPERIMENT", "MAVEN_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS", "NODE_ENV", "OPENSSL_*", "MIX_ENV", "ERL_COMPILER_OPTIONS",
    "ELIXIR_ERL_OPTIONS",
)  # fmt: skip
"""What changes in what is built: it is part of a build's digest."""


ELSEWHERE = (
    "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR", "SWIFTPM_BUILD_DIR", "COMPOSER_VENDOR_DIR",
    "UV_PROJECT_ENVIRONMENT", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER",
)  # fmt: skip
"""Of the above, those that make a build put what it makes outside its own copy, where no server
finds it, and where another version's build would replace it."""


def declared_environment() -> dict[str, str]:
    """What of this process's environment a build is given, in one language and time zone."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if (locates(name) or is_among(name, _ALL)) and name not in ELSEWHERE
    }
    return {**kept, "LANG": "C.UTF-8", "TZ": "UTC"}


def compiles(name: str) -> bool:
    """Whether compilers heed the variable."""
    return is_among(name, COMPILERS)


_ALL = (*PLACES, *PACKAGES, *COMPILERS)
