"""How a service that is not told its port on its command line comes to it, by its sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.recognise.recognised import OWN_HOST, json_of, table_of, text_of
from webdyno.ab.recognise.settings.config_files import (
    named_ports,
    variable_for,
    variables_read_in_files,
)
from webdyno.ab.recognise.settings.port_edits import edit_of
from webdyno.ab.recognise.settings.variables import values_in
from webdyno.ab.recognise.settings.variables_read import sources_of, variables_in

_LITERALS = (
    r"\.listen\(\s*(?:\{[^}]*\bport:\s*)?(\d{2,5})\b",  # Node.js
    r"\bListenAndServe\(\s*\"(?:[^\":]*|\[[^\"\]]*\]):(\d{2,5})\"",
    r"\.(?:Run|Start|Listen)\(\s*\"(?:[^\":]*|\[[^\"\]]*\]):(\d{2,5})\"",  # Go's frameworks
    r"\bAddr:\s*\"(?:[^\":]*|\[[^\"\]]*\]):(\d{2,5})\"",
    r"(?:\.run|\brun_app)\([^)]*\bport\s*=\s*(\d{2,5})\b",  # Flask, uvicorn, aiohttp
    r"\bbind\([\s(&]*\"(?:[^\":]*|\[[^\"\]]*\]):(\d{2,5})\"",  # Rust
    r"\bSocketAddr::from\(\(.*?,\s*(\d{2,5})\s*\)\)",
    r"\bbind\(\s*\(\s*\"[^\"]*\"\s*,\s*(\d{2,5})\s*\)",  # Actix
    r"\.start\(\s*(\d{2,5})\s*\)",  # Javalin
    r"\bembeddedServer\(\s*(?:factory\s*=\s*)?\w+\s*,\s*(?:[^()]*?\bport\s*=\s*)?(\d{2,5})\b",
    r"\bconnector\s*\{[^{}]*?\bport\s*=\s*(\d{2,5})\b",  # Ktor, in either way
    r"\bHttpServer\.create\(\s*new InetSocketAddress\((?:[^,()]*,)?\s*(\d{2,5})\s*\)",
    r"^\s*server\.port\s*=\s*(\d{2,5})\s*$",
    r"\.hostname\([^)]*\bport:\s*(\d{2,5})\b",  # Swift's frameworks
    r"\bconfiguration\.port\s*=\s*(\d{2,5})\b",
)
_CONSTANT = re.compile(
    r"\b(\w*(?:port|addr(?:ess)?))\s*(?::[^=\n]*)?:?=\s*[\"']?(?:[\w.]*:)?(\d{2,5})[\"']?[;,]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A name for a port, or for an address with one."""

_OF_AIOHTTP = re.compile(r"\bweb\.run_app\((?![\s\S]{0,300}?\b(?:path|port|sock)\b)")
"""What aiohttp is given no port with, so that it takes its own."""

_LISTENS = r"\b(?:listen|ListenAndServe|Run|Start|Listen|run|run_app|bind|start|embeddedServer)\("
"""What takes a port or an address to listen at."""

_OWN = re.compile(r"(?:API|APP|HTTP|LISTEN|SERVER|SERVICE|WEB)_PORT")
"""Names of variables that can only mean the port of the service itself."""


_OWN_ADDRESS = re.compile(
    r"(?:(?:API|APP|HTTP|SERVER|SERVICE|WEB)_)?(?:(?:BIND|LISTEN)_)?ADDR(?:ESS)?|BIND|LISTEN(?:_ON)?"
)
_WITH_PORT = re.compile(rf"{OWN_HOST}:\d{{2,5}}")
_ADDRESS = re.compile(rf"([\"']){OWN_HOST}:\d{{2,5}}\1")
"""Names of variables that are the service's own address, and such an address, alone and as a source
holds it where it is the variable's default."""


def port_of(top: Path, package: str = "") -> tuple[dict[str, str], str]:
    """The variables that tell the service in a `package` of the folder `top` its port, where that
    is not PORT, and what has to be said where its sources or its settings name a port and ask for
    none; empty where neither is so."""
    folder = top / package
    variables, addresses, fixed, more = set[str](), set[str](), "", ""
    by_files = True
    for path in sources_of(folder):
        variables |= (read := variables_in(path))
        if _ADDRESS.search(text_of(path)):
            addresses |= {name for name in read if _OWN_ADDRESS.fullmatch(name)}
        if not fixed and (port := _fixed_in(text_of(path))):
            name = path.relative_to(top).as_posix()
            fixed, edit = f"{name} {port.clause}", edit_of(name, text_of(path), port.start)
            more = f"; or begin `build` with `{edit}`" if edit else ""
            # Ktor's server that a program starts itself reads no configuration for its port.
            by_files = path.suffix != ".kt"
    if by_files:
        variables |= variables_read_in_files(folder)
    samples = values_in(folder)
    # A library may read all that the sample has, where the sources name no port themselves.
    sampled = set() if fixed else set(samples)
    if "PORT" in variables | sampled:
        return {}, ""
    for known in (variables, sampled):
        own = sorted(name for name in known if _OWN.fullmatch(name))
        if len(own) == 1:
            return {own[0]: "${PORT}"}, ""
    own = [
        name
        for name in sorted(sampled)
        if _OWN_ADDRESS.fullmatch(name) and _WITH_PORT.fullmatch(samples[name])
    ]
    if len(own) == 1:
        return {own[0]: "127.0.0.1:${PORT}"}, ""
    if len(addresses) == 1:
        return {addresses.pop(): "127.0.0.1:${PORT}"}, ""
    if told := _of_node_config(folder):
        return told, ""
    if not fixed and (named := next(named_ports(folder), None)):
        if told := variable_for(named, sources_of(folder)):
            return told, ""
        fixed = f"{named.path.relative_to(top).as_posix()} names port {named.port}"
        more = "; else let `command` write it there first (sed -i, with `writes = true`)"
    if not fixed:
        return {}, ""
    return {}, (
        f"{fixed}, but several copies run at once, each on a port of its own: let it listen on "
        f"$PORT, or at another variable (`port_variable`, or ${{PORT}} in `command` or `env`){more}"
    )


def _of_node_config(folder: Path) -> dict[str, str]:
    """What node-config takes before its files, where these name the service's port."""
    needs = table_of(json_of(folder / "package.json").get("dependencies"))
    named = next(named_ports(folder), None) if "config" in needs else None
    if named is None or named.path.parent != folder / "config":
        return {}
    if not named.keys[-1].lower().endswith("port"):
        return {}
    held = "${PORT}"
    for key in reversed(named.keys):
        held = f'{{"{key}":{held}}}'
    return {"NODE_CONFIG": held}


@dataclass(frozen=True)
class _FixedPort:
    """A port at which a source listens, whatever it is told: what it does for that, in words, and
    where the number stands in it; below zero where it does not."""

    clause: str
    start: int = -1


def _fixed_in(text: str) -> _FixedPort | None:
    """The port that a source names; None where it names none."""
    for pattern in _LITERALS:
        if match := re.search(pattern, text, re.MULTILINE):
            return _FixedPort(f"names port {match[1]}", match.start(1))
    if _OF_AIOHTTP.search(text):
        return _FixedPort("gives aiohttp no port, which then takes 8080")
    for match in _CONSTANT.finditer(text):
        if re.search(rf"{_LISTENS}[^()]*\b{match[1]}\b", text):
            return _FixedPort(f"names port {match[2]}", match.start(2))
    return None
