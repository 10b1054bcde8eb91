"""What must be on the machine before a setup can work, and how to get it."""

from __future__ import annotations

import ctypes
import errno
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from layout import ENGINE, Layout

EPOLL_PWAIT2 = 441
"""The number of that call, the same on every processor but the Alpha."""


def missing(layout: Layout, parts: list[str]) -> list[str]:
    """One line for each thing that is missing to make `parts`: what, and how to install it."""
    found = [*_c_library(), *_kernel()]
    found += [] if layout.python.exists() else _venv()
    if ENGINE in parts:
        found += [*_cargo(layout), *_linker()]
    return found


def use_rustup() -> None:
    """Let a Rust that was installed a moment ago be found without a new login."""
    folder = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "bin"
    if shutil.which("cargo") is None and (folder / "cargo").exists():
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"


def _c_library() -> list[str]:
    if sys.platform != "linux" or _has_glibc():
        return []
    return [
        "glibc is missing: packages that Webdyno needs are made for no other C library (Alpine has "
        "musl); use a distribution with glibc, such as Debian or Fedora"
    ]


def _has_glibc() -> bool:
    try:
        return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except (OSError, ValueError):  # musl knows the name, but has no answer.
        return False


def _kernel() -> list[str]:
    if sys.platform != "linux" or _has_epoll_pwait2():
        return []
    return [
        f"this kernel ({os.uname().release}), or the sandbox around Webdyno, does not allow "
        "epoll_pwait2, by which loads wait; use Linux 5.11 or newer"
    ]


def _has_epoll_pwait2() -> bool:
    """Tried, because kernels carry others' versions (gVisor), and sandboxes forbid calls."""
    try:
        syscall = ctypes.CDLL(None, use_errno=True).syscall
    except (OSError, AttributeError):
        return True
    no_file, nothing = ctypes.c_long(-1), ctypes.c_long(0)
    call = ctypes.c_long(EPOLL_PWAIT2)
    # Without an epoll to wait for it fails at once; only how is of interest.
    syscall(call, no_file, nothing, ctypes.c_long(1), nothing, nothing, nothing)
    return ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM)


def _venv() -> list[str]:
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return []
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    how = _install(f"python{version}-venv", f"python@{version}")
    return [f"Python's venv module is missing from {sys.executable}; install it: {how}"]


def _cargo(layout: Layout) -> list[str]:
    needed = _rust_version(layout)
    # rustup's own script, because distributions carry a Rust that is too old for the engine.
    how = f"install Rust {needed} or newer with rustup, see https://rustup.rs"
    if shutil.which("cargo") is None:
        return [f"cargo is missing; {how}"]
    try:
        said = subprocess.run(["cargo", "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [f"cargo does not run ({error}); {how}"]
    match = re.match(r"cargo (\d+(?:\.\d+)+)", said.stdout)
    if match is None or said.returncode != 0:
        reason = (said.stderr or said.stdout).strip().partition("\n")[0] or "it says nothing"
        return [f"cargo does not run ({reason}); {how}"]
    if _numbers(match[1]) < _numbers(needed):
        return [f"cargo {match[1]} is too old; run `rustup update`, or {how}"]
    return []


def _linker() -> list[str]:
    if shutil.which(os.environ.get("CC", "cc").split()[0]) or shutil.which("clang"):
        return []
    how = "xcode-select --install" if sys.platform == "darwin" else _install("build-essential", "")
    return [f"a C compiler (cc), which Rust links with, is missing; install it: {how}"]


def _rust_version(layout: Layout) -> str:
    manifest = tomllib.loads((layout.root / "engine" / "Cargo.toml").read_text(encoding="utf-8"))
    return str(manifest["package"].get("rust-version", "1.85"))


def _install(debian: str, brew: str) -> str:
    return f"brew install {brew}" if sys.platform == "darwin" else f"sudo apt install {debian}"


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
