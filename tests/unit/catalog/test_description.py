"""`webdyno.toml`: what it takes, and what it says where it is wrong."""

from pathlib import Path

import pytest

from webdyno.catalog.description import FILE, Description, read_description
from webdyno.catalog.scenario import StatusCheck
from webdyno.errors import UserError

WHOLE = """
name = "My Shop"
language = "node"
toolchain = ["node >= 18"]
port_variable = "SHOP_PORT"
requests = [
    "GET /items?page=2",
    "POST /items {\\"name\\": \\"x\\"}",
    { path = "/items/{id}", status = 404, headers = { Accept = "text/html" } },
]
headers = { X-Client = "webdyno" }
variables.id = { kind = "int", min = 1, max = 9 }
budget = "2m"
margin = 0.05
[build]
commands = ["npm ci", ["npm", "run", "build"]]
[run]
command = "node server.js"
ready = "/health"
writes = true
[load]
rate = "200/s"
[answers]
ignore_json = ["items[*].time"]
"""


def described(folder: Path, text: str) -> Description:
    path = folder / FILE
    path.write_text(text)
    return read_description(path)


def test_a_whole_description_is_read(tmp_path: Path) -> None:
    found = described(tmp_path, WHOLE)
    assert found.name == "my-shop"
    assert found.build.commands == [["npm", "ci"], ["npm", "run", "build"]]
    assert found.run is not None
    assert (found.run.command, found.run.ready) == (["node", "server.js"], "/health")
    assert found.budget == 120.0
    listing, posting, item = found.templates()
    assert (listing.method, listing.path) == ("GET", "/items?page=2")
    # On a line braces stand for themselves, in a table for a variable.
    assert posting.body == '{{"name": "x"}}'
    assert item.path == "/items/{id}"
    assert item.checks == [StatusCheck(kind="status", equals=404)]
    assert item.headers == {"X-Client": "webdyno", "Accept": "text/html"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('requests = ["items"]', "should read like 'GET /items'"),
        ('requests = ["GET /a", "GET /a"]', "two requests are called 'GET /a'"),
        ('[[requests]]\npth = "/a"', "unknown key 'requests.0.table.pth'; did you mean 'path'?"),
        ('[load]\nrate = "fast"', "is not a rate"),
        ('[load]\nkinds = ["fast"]', "load.kinds"),
        ('[answers]\nignore_patterns = ["("]', "is no regular expression"),
        ('[run]\ncommand = ""', "must not be empty"),
        ('[runn]\ncommand = "x"', "did you mean 'run'?"),
        ("margin = 2", "key 'margin'"),
    ],
)
def test_what_is_wrong_is_told_by_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        described(tmp_path, text)
    assert str(tmp_path / FILE) in str(caught.value)
    assert said in str(caught.value)
