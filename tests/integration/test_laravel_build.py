"""How php/laravel comes by its framework: by composer where it can, else the distribution's.

With the real composer, and in place of its registry a folder: a `laravel/framework` that stands for
the real one, to see that the application loads what composer brought.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "servers" / "php" / "laravel"
PHP, COMPOSER = shutil.which("php"), shutil.which("composer")

pytestmark = [
    pytest.mark.long,
    pytest.mark.concurrent,
    pytest.mark.skipif(PHP is None, reason="php is not installed"),
]
with_composer = pytest.mark.skipif(COMPOSER is None, reason="composer is not installed")

APPLICATION = """<?php
namespace Illuminate\\Foundation;
class Application { const VERSION = '8.0.0'; }
"""

LOADED = "require 'bootstrap/autoload.php'; echo class_exists('Illuminate\\Mark') ? 'yes' : 'no';"


def build(
    tmp_path: Path, *, programs: tuple[str, ...], repositories: list[Any], include: str = ""
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Build a copy with only `programs` on PATH and only `repositories` in reach of composer."""
    folder, binaries, home = tmp_path / "laravel", tmp_path / "bin", tmp_path / "composer"
    shutil.copytree(SOURCE, folder)
    binaries.mkdir()
    home.mkdir()
    for name in ("sh", "rm", "env", "unzip", *programs):
        if found := shutil.which(name):
            (binaries / name).symlink_to(found)
    nowhere = {"packagist.org": False}
    (home / "config.json").write_text(json.dumps({"repositories": [nowhere, *repositories]}))
    done = subprocess.run(
        [str(PHP), "-d", f"include_path={include or tmp_path / 'nothing'}", "build.php"],
        cwd=folder,
        env={**os.environ, "PATH": str(binaries), "COMPOSER_HOME": str(home)},
        capture_output=True,
        text=True,
    )
    return folder, done


def distribution(tmp_path: Path) -> str:
    """An include path that holds the distribution's framework."""
    folder = tmp_path / "usr-share-php"
    (folder / "Illuminate").mkdir(parents=True)
    (folder / "Illuminate" / "autoload.php").write_text(APPLICATION)
    return str(folder)


def framework(tmp_path: Path) -> dict[str, Any]:
    """A repository of composer's that holds a `laravel/framework` of the version asked for."""
    wanted = json.loads((SOURCE / "composer.json").read_text())["require"]["laravel/framework"]
    folder = tmp_path / "framework"
    folder.mkdir()
    (folder / "Mark.php").write_text("<?php\nnamespace Illuminate;\nclass Mark {}\n")
    (folder / "Foundation").mkdir()
    (folder / "Foundation" / "Application.php").write_text(APPLICATION)
    described = {
        "name": "laravel/framework",
        "version": wanted,
        "autoload": {"psr-4": {"Illuminate\\": ""}},
    }
    (folder / "composer.json").write_text(json.dumps(described))
    return {"type": "path", "url": str(folder)}


def test_without_composer_it_is_the_distributions(tmp_path: Path) -> None:
    include = distribution(tmp_path)
    folder, done = build(tmp_path, programs=(), repositories=[], include=include)
    assert done.returncode == 0, done.stderr
    assert "composer is not installed" in done.stdout
    assert "the distribution's own" in done.stdout
    assert not (folder / "vendor").exists()


def test_with_neither_it_says_what_to_install(tmp_path: Path) -> None:
    _, done = build(tmp_path, programs=(), repositories=[])
    assert done.returncode == 1
    assert "apt-get install php-laravel-framework" in done.stderr


@with_composer
def test_composer_without_its_registry_gives_way_to_the_distribution(tmp_path: Path) -> None:
    include = distribution(tmp_path)
    folder, done = build(tmp_path, programs=("php", "composer"), repositories=[], include=include)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "laravel/framework" in done.stdout  # composer's own words on what it did not find
    assert "composer could not bring Laravel" in done.stdout
    assert "the distribution's own" in done.stdout
    assert not (folder / "vendor").exists()


@with_composer
def test_what_composer_brings_is_what_the_application_loads(tmp_path: Path) -> None:
    folder, done = build(tmp_path, programs=("php", "composer"), repositories=[framework(tmp_path)])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Laravel is composer's" in done.stdout
    loaded = subprocess.run(
        [str(PHP), "-r", LOADED], cwd=folder, capture_output=True, text=True, check=True
    )
    assert loaded.stdout == "yes"
    own = "require 'bootstrap/autoload.php'; echo class_exists('App\\Http\\Kernel') ? 1 : 0;"
    kernel = subprocess.run([str(PHP), "-r", own], cwd=folder, capture_output=True, text=True)
    # The kernel is found in app/; what it extends is not in a framework of one class.
    assert "Illuminate\\Foundation\\Http\\Kernel" in kernel.stdout + kernel.stderr
