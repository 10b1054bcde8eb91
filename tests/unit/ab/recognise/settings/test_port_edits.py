"""The command that lets a source that names its port listen at the one that it is given."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.recognised import found_in, write
from webdyno.ab.recognise.settings.port_edits import edit_of


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        (
            "a b.kt",
            "embeddedServer(Netty, port = 8080) {",
            'port = System.getenv("PORT").toInt()) {',
        ),
        ("A.java", "app.start(8080);", 'app.start(Integer.parseInt(System.getenv("PORT")));'),
        ("a.js", "app.listen(8080, go)", "app.listen(Number(process.env.PORT), go)"),
        ("a.ts", "const port: number = 8080;", "number = Number(process.env.PORT);"),
        ("a.py", "run(app, port=8080)", 'port=int(__import__("os").environ["PORT"]))'),
    ],
)
def test_the_command_changes_the_source(tmp_path: Path, name: str, text: str, changed: str) -> None:
    write(tmp_path, {name: f"before\n{text}\n"})
    text = (tmp_path / name).read_text()
    subprocess.run(["sh", "-c", edit_of(name, text, text.index("8080"))], cwd=tmp_path, check=True)
    assert changed in (tmp_path / name).read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", 'const port = "8080"'),
        ("a.go", 'http.ListenAndServe(":8080", nil)'),
        ("a.kt", "8080,"),
        ("a.kt", "const val PORT = 8080"),
    ],
)
def test_what_it_cannot_change_is_left(name: str, text: str) -> None:
    assert edit_of(name, text, text.index("8080")) == ""


def test_it_is_said_with_the_path_of_the_source_from_the_top(tmp_path: Path) -> None:
    files = {
        "settings.gradle.kts": 'include("app")',
        "app/build.gradle.kts": "plugins { application }",
        "app/src/main/kotlin/A.kt": "fun main() { embeddedServer(Netty, port = 8080) {} }",
    }
    (said,) = found_in(tmp_path, files).to_do
    assert said.startswith("app/src/main/kotlin/A.kt names port 8080, but several copies run")
    assert said.endswith(
        "; or begin `build` with `sed -i 's/port = 8080/port = System.getenv(\"PORT\").toInt()/' "
        "app/src/main/kotlin/A.kt`"
    )
