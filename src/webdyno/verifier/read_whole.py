"""That requests are read to their end: known by no part of them, and not taken for whole too soon.

A server that compares a length or a few letters, or takes whatever it reads at once for a request,
saves itself a router and a parser, and answers each request of a load as it should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase

import httpx

from webdyno.verifier.base import Verifier
from webdyno.verifier.probe import Probe
from webdyno.verifier.probe_messages import came_early


def expect_read_whole(
    verifier: Verifier, probe: Probe, path: str, problem: Callable[[httpx.Response], str | None]
) -> None:
    """Record that GETs of `path` are read to their end, each letter of the path and the header
    fields included, on each of the probe's connections; `problem` tells what is wrong with an
    answer, if anything is."""
    expect_path_read(verifier, probe, path)
    expect_request_read(verifier, probe, path, problem)
    expect_further_field_taken(verifier, probe, path, problem)
    expect_body_skipped(verifier, probe, path)


def expect_path_read(verifier: Verifier, probe: Probe, path: str) -> None:
    """Record that a path that differs from `path` in one letter leads nowhere, on each of the
    probe's connections."""

    def misled() -> Iterator[str | None]:
        for _ in range(probe.connections):
            near = with_another_letter(path, verifier.random)
            status = probe.get(near).status_code
            yield None if status == 404 else f"{near} was answered {status}"

    verifier.expect_each(
        f"a path that differs from {path} in one letter is answered 404",
        misled(),
        remedy="compare the whole path",
    )


def expect_request_read(
    verifier: Verifier, probe: Probe, path: str, problem: Callable[[httpx.Response], str | None]
) -> None:
    """Record that a request that comes in pieces, the last of which is half of the empty line at
    its end, is answered when it is whole, on each of the probe's connections."""

    def wrong() -> Iterator[str | None]:
        for _ in range(probe.connections):
            answer = probe.get(path, in_pieces=True)
            early = f"{path} was answered before its last piece was sent"
            yield early if came_early(answer) else problem(answer)

    verifier.expect_each(
        "a request that arrives in pieces is answered once it is complete",
        wrong(),
        remedy="read each request up to the empty line that ends its head, however many reads that"
        " takes",
    )


def expect_further_field_taken(
    verifier: Verifier, probe: Probe, path: str, problem: Callable[[httpx.Response], str | None]
) -> None:
    """Record that a GET of `path` with a field that no server knows is answered like one without,
    on each of the probe's connections: who compares the whole head with the load's parses none."""

    def wrong() -> Iterator[str | None]:
        for _ in range(probe.connections):
            yield problem(probe.get(path, headers={f"X-{verifier.token()}": verifier.token()}))

    verifier.expect_each(
        f"a GET of {path} with a further field is answered like one without",
        wrong(),
        remedy="parse the head of each request, and ignore fields that are not known",
    )


def expect_body_skipped(verifier: Verifier, probe: Probe, path: str) -> None:
    """Record that the body of a POST is not taken for another request, on each of the probe's
    connections: a server that reads no header fields does not know where the next request begins.
    It may refuse the POST, and end its connection."""
    host = f"Host: {probe.base_url.partition('://')[2]}\r\n"

    def get(wanted: str) -> bytes:
        return f"GET {wanted} HTTP/1.1\r\n{host}\r\n".encode()

    def wrong() -> Iterator[str | None]:
        body = get(path)
        head = f"POST {path} HTTP/1.1\r\n{host}Content-Length: {len(body)}\r\n\r\n"
        for number in range(probe.connections):
            nowhere = f"{path}-{verifier.token()}"
            status = probe.status_after(number, head.encode() + body, get(nowhere))
            taken = status is not None and status < 400
            yield f"GET {nowhere}, after it, was answered {status}" if taken else None

    verifier.expect_each(
        f"a body that looks like a request of {path} is not answered as one",
        wrong(),
        remedy="read the header fields of each request, and the whole body that they announce",
    )


def with_another_letter(path: str, random: Random) -> str:
    """`path` with another lower-case letter in the place of one of its own."""
    place = random.choice([at for at, letter in enumerate(path) if letter in ascii_lowercase])
    other = random.choice([letter for letter in ascii_lowercase if letter != path[place]])
    return f"{path[:place]}{other}{path[place + 1 :]}"
