"""Folders of services, and what `init` recognises in them."""

import json
from pathlib import Path

from webdyno.ab.recognise import RecognisedService, recognise

NODE = '{"scripts": {"start": "node src/server.js", "build": "tsc"}, "dependencies": {"a": "1"}}'
FLASK = "from flask import Flask\n\napp = Flask(__name__)\n"
FASTAPI = "import fastapi\n\nweb = fastapi.FastAPI(title='x')\n"
SWIFT = 'let p = Package(targets: [.executableTarget(name: "App", dependencies: [])])'


def write(folder: Path, files: dict[str, str]) -> None:
    """Write `files`, by their paths in `folder`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found_in(folder: Path, files: dict[str, str] | None = None) -> RecognisedService:
    """What is recognised in a folder, once `files` are in it, too."""
    write(folder, files or {})
    found = recognise(folder)
    assert found is not None
    return found


def package(**keys: object) -> str:
    """A package.json whose program is `a.js`."""
    return json.dumps({"main": "a.js", **keys})
