"""What counts of a build: what is delivered, not what a compiler keeps for its next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.runtime.builds.artefact import artefact_bytes

CARGO = {
    ".rustc_info.json": 700,
    "CACHEDIR.TAG": 170,
    "release/.cargo-lock": 1,
    "release/.fingerprint/shop-1/lib-shop": 900,
    "release/build/ring-1/build-script-build": 4000,
    "release/deps/shop-1": 60,
    "release/deps/libserde-1.rlib": 3000,
    "release/examples/demo": 800,
    "release/incremental/shop-1/dep-graph.bin": 5000,
    "release/libshop.rlib": 40,
    "release/shop.d": 20,
    "release/shop": 60,
    "release/libshop.so": 7,
}
PROGRAMS = {"shop", "demo", "build-script-build", "Server"}


def write(folder: Path, files: dict[str, int]) -> None:
    for name, size in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
        if path.name in PROGRAMS or path.suffix == ".so":
            path.chmod(0o755)


@pytest.mark.parametrize(
    ("below", "profile"),
    [("target", "release"), ("target", "debug"), ("target/x86_64-unknown-linux-musl", "release")],
)
def test_of_cargo_s_folder_programs_and_libraries_count(
    tmp_path: Path, below: str, profile: str
) -> None:
    write(tmp_path, {"src/main.rs": 10, "static/a.css": 5, "webdyno-build.log": 99})
    # What is beside the profiles is in `target` itself, whatever the platform.
    for name, size in CARGO.items():
        place = below if "/" in name else "target"
        write(tmp_path, {f"{place}/{name.replace('release', profile)}": size})
    assert artefact_bytes(tmp_path, [], ["webdyno-build.log"]) == 10 + 5 + 60 + 7
    # Whoever names it gets it.
    whole = artefact_bytes(tmp_path, ["target"])
    assert whole == sum(CARGO.values())
    assert artefact_bytes(tmp_path, ["!static"]) == 10 + 60 + 7 + 99


def test_of_swift_s_folder_programs_and_resources_count(tmp_path: Path) -> None:
    platform = ".build/x86_64-unknown-linux-gnu/release"
    write(
        tmp_path,
        {
            "Package.swift": 10,
            ".build/workspace-state.json": 100,
            ".build/build.db": 4000,
            ".build/checkouts/vapor/Package.swift": 300,
            f"{platform}/description.json": 3000,
            f"{platform}/Server": 60,
            f"{platform}/Server.build/main.swift.o": 900,
            f"{platform}/ModuleCache/x.pcm": 800,
            f"{platform}/shop_Server.resources/page.html": 7,
        },
    )
    (tmp_path / ".build/release").symlink_to("x86_64-unknown-linux-gnu/release")
    assert artefact_bytes(tmp_path, []) == 10 + 60 + 7


def test_other_folders_of_that_name_count_in_full(tmp_path: Path) -> None:
    write(tmp_path, {"target/shop.jar": 50, "target/lib/a.jar": 5, ".build/made.js": 3})
    assert artefact_bytes(tmp_path, []) == 58
