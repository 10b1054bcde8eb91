"""`webdyno.toml`: what it takes, and what it says where it is wrong."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from webdyno.catalog.descriptions.description import FILE, Description, read_description
from webdyno.catalog.descriptions.service_request import round_of
from webdyno.catalog.scenarios.checks import StatusCheck
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


def test_requests_are_called_by_no_secret_and_told_apart(tmp_path: Path) -> None:
    lines = ["GET /a?page=1", "GET /?token=hunter2", "GET /?token=hunter3", "GET /?token=hunter4"]
    found = described(tmp_path, f"requests = {json.dumps(lines)}").templates()
    assert [one.name for one in found] == [
        "GET /a?page=1", "GET /?token=…", "GET /?token=… (2)", "GET /?token=… (3)",
    ]  # fmt: skip
    assert [one.path for one in found][1:] == [f"/?token=hunter{n}" for n in (2, 3, 4)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('requests = ["items"]', "write it like 'GET /items'"),
        ('requests = ["GET /a", "GET /a"]', "two requests are called 'GET /a'"),
        ('requests = ["GET /?token=a", "GET /?token=a"]', "are called 'GET /?token=…'; give"),
        ('requests = ["0 GET /a"]', "a whole number from 1 to 100"),
        ('requests = [{ path = "/a", weight = 101 }]', "weight"),
        ('[load]\nkinds = ["alone"]', "add full or steady"),
        (
            '[[requests]]\npth = "/a"',
            "unknown key 'pth' in the first [[requests]]; did you mean 'path'?",
        ),
        ('[run]\nrequests = ["GET /"]', "'run.requests'; 'requests' is a key of the whole file:"),
        ('[[requests]]\npath = "/"\ncookies = true', "write it above the first [table]"),
        ('[load]\nrate = "fast"', "is not a rate"),
        ('[load]\nkinds = ["fast"]', "load.kinds"),
        ('[answers]\nignore_patterns = ["("]', "is not a valid regular expression"),
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


def test_a_round_holds_each_request_as_often_as_its_weight_says(tmp_path: Path) -> None:
    text = 'requests = ["GET /a", "4 GET /b", { path = "/c", weight = 2 }]'
    found = described(tmp_path, text)
    assert [one.path for one in found.templates()] == ["/a", "/b", "/c"]
    mixed = [one.path for one in found.mix()]
    assert mixed[0] == "/a"
    assert {path: mixed.count(path) for path in mixed} == {"/a": 1, "/b": 4, "/c": 2}
    # The round goes on without a gap: the frequent one comes at least every third time.
    assert "".join(path[1] for path in mixed * 2).count("b") == 8
    gaps = [place for place, path in enumerate(mixed * 2) if path == "/b"]
    assert max(later - one for one, later in pairwise(gaps)) <= 3


def test_weights_are_reduced_and_equal_ones_keep_the_order() -> None:
    assert round_of([1, 1, 1]) == [0, 1, 2]
    assert round_of([50, 100]) == [0, 1, 1]
    assert round_of([7]) == [0]


def test_requests_are_measured_alone_where_there_are_several() -> None:
    def kinds(*requests: str, **more: object) -> list[str]:
        return list(Description.model_validate({"requests": list(requests), **more}).kinds())

    assert kinds("/a", budget="10m") == ["full", "steady"]
    assert kinds("/a", "/b", budget="10m") == ["full", "steady", "alone"]
    assert kinds("/a", "/b", budget="5m") == ["full", "steady"]
    every = ["full", "steady", "alone"]
    assert kinds("/a", "/b", budget="5m", load={"kinds": every}) == every
    assert kinds("/a", "/b", budget="10m", load={"kinds": ["full"]}) == ["full"]
