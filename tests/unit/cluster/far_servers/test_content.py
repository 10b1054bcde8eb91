"""What is sent of a study is what a copy on this machine would have."""

from __future__ import annotations

import os
from pathlib import Path

from webdyno.catalog import Catalog
from webdyno.catalog.catalog import ServerVariant
from webdyno.cluster.far_servers.content import Content, packed
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.sources import copy_source


def test_a_link_out_of_a_server_s_folder_is_sent_as_the_file_that_it_leads_to(
    tmp_path: Path,
) -> None:
    known = Catalog().server_variant("go/chi").server
    folder = tmp_path / "servers" / "go" / "mine"
    (folder / "own").mkdir(parents=True)
    (tmp_path / "shared").mkdir()
    shared = tmp_path / "shared" / "common.js"
    shared.write_text("shared")
    shared.chmod(0o755)
    (folder / "own" / "file").write_text("own")
    (folder / "common.js").symlink_to("../../../shared/common.js")
    (folder / "inner").symlink_to("own/file")
    (folder / "nowhere").symlink_to("../../gone")
    server = known.model_copy(update={"folder": folder})
    entry = Entry(ServerVariant(server))
    content = Content(tmp_path / "far")
    content.unpack(packed([entry], []))
    there = content.path(folder)
    assert seen_in(there) == {
        "common.js": (0o755, "shared"), "inner": (0, "own/file"), "nowhere": (0, "../../gone"),
        "own/file": (0o644, "own"),
    }  # fmt: skip
    copy_source(folder, tmp_path / "here")
    assert seen_in(there) == seen_in(tmp_path / "here")


def seen_in(folder: Path) -> dict[str, tuple[int, str]]:
    """Mode and text of each file; 0 and where it leads, of a link."""
    return {
        str(path.relative_to(folder)): (0, os.readlink(path))
        if path.is_symlink()
        else (path.stat().st_mode & 0o777, path.read_text())
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }
