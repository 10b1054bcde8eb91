"""Two URLs of `hit`: what both are asked, and what is refused."""

from pathlib import Path

import pytest

from webdyno.ab.conclusion.answer import ComparisonAnswer
from webdyno.ab.running import listeners
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import ListeningService
from webdyno.cli.hit.compare import description_of, hit
from webdyno.cli.hit.options import Options
from webdyno.errors import UserError


def services(*paths: str) -> list[ListeningService]:
    return [
        ListeningService(f"http://localhost{path}", "localhost", "127.0.0.1", 80, path, None)
        for path in paths
    ]


def test_both_are_asked_what_one_url_would_be() -> None:
    options = Options(connections=8, duration="60s", headers=["X-A: {1}"], body='{"a": 1} ')
    found = description_of(services("/items?a={b}", "/items?a={b}"), options)
    (request,) = found.templates()
    assert (request.method, request.path) == ("POST", "/items?a={{b}}")
    assert (request.body, request.headers) == ('{{"a": 1}} ', {"X-A": "{{1}}"})
    assert (found.budget, found.load.connections, found.load.duration) == (60.0, 8, 2.0)
    assert found.kinds() == ["full"]
    assert description_of(services("/", "/"), Options(rate="200/s")).kinds() == ["steady"]


@pytest.mark.parametrize(
    ("options", "connections"),
    [
        (Options(), 64),
        (Options(connections=100), 100),
        (Options(rate="200/s"), 64),
        (Options(rate="200/s", connections=8), 8),
        (Options(rate="200/s", connections=500), 64),
    ],
)
def test_a_load_that_only_warms_up_has_no_more_connections_than_one_without_a_rate(
    options: Options, connections: int
) -> None:
    assert description_of(services("/", "/"), options).load.connections == connections


@pytest.mark.parametrize(
    ("options", "paths", "said"),
    [
        (Options(), ("/a", "/b"), "differ in their paths, /a and /b"),
        (Options(duration="1s"), ("/", "/"), "at least 3s"),
        (Options(rate="fast"), ("/", "/"), "is not a rate"),
        (Options(timeout="soon"), ("/", "/"), "--timeout: 'soon' is not a duration"),
        (Options(timeout="10d"), ("/", "/"), "--timeout: '10d' is not a valid load duration"),
        (Options(duration="0"), ("/", "/"), "--duration: '0' is not a duration"),
        (Options(rate="200M/s"), ("/", "/"), "--rate: '200M/s' is too fast"),
        (Options(headers=["X-A: 1", "x-a: 2"]), ("/", "/"), "header 'x-a' is given twice"),
    ],
)
def test_what_cannot_be_compared_is_told(
    options: Options, paths: tuple[str, str], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        description_of(services(*paths), options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(objective="p99 < 1ms"), "--objective is for a single URL"),
        (Options(allow_remote=True), "--allow-remote is for a single URL"),
        (Options(record="a.jtl"), "--record is for a single URL"),
    ],
)
def test_options_of_a_single_url_are_refused(options: Options, said: str) -> None:
    with pytest.raises(UserError, match=said):
        hit(("http://localhost:1/", "http://localhost:2/"), options, None)


def test_an_address_in_brackets_is_shown_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That of IPv6, not taken for the markup of a terminal."""
    url = "http://[fd00::1]:8080/"
    service = ListeningService(url, "fd00::1", "fd00::1", 8080, "/", None)
    monkeypatch.setattr(listeners, "running", lambda _url, **_: service)

    def run(comparison: RunningComparison) -> ComparisonAnswer:
        comparison._note(f"warming up {url}")
        raise UserError("gone")

    monkeypatch.setattr(RunningComparison, "run", run)
    with pytest.raises(UserError, match="gone"):
        hit((url, url), Options(), None)
    assert f"warming up {url}" in capsys.readouterr().err


def test_nothing_there_is_told_by_the_url_alone(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        hit(("http://localhost:1/", "http://localhost:1/"), Options(), tmp_path / "ab.json")
    assert str(caught.value).startswith("http://localhost:1/: nothing answers there")
