"""Servers that echo something else by WebSocket, or speak it otherwise, are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.verifier import Mismatch

Stage = Any

LENGTHS = "texts and binary messages of .* bytes come back: "
TYPES = "come back unchanged, with the same type: "
FRAGMENTS = "a message in fragments comes back as one: "
PING = "a ping is answered by its pong, also between fragments: "
OWN = "24 connections at once get their own messages, and no others: connection "
CLOSE = "a close is answered by a close, and ends the connection: "
UNREAD = "from a client that reads nothing for a while, .*: "
# Cheat, and what the message must say.
BEFORE = [
    ("plain-too", "a GET without an upgrade is answered 4xx: answered 200"),
    (
        "wrong-accept",
        "with its key's accept value .*: sec-websocket-accept is '.{28}' instead of",
    ),
    ("takes-unoffered", "the answer has sec-websocket-extensions, which was not offered"),
    ("everywhere", "an upgrade of an unknown path is refused: answered 101"),
    ("everywhere-wrongly", "an unknown path is refused: answered 101, though sec-websocket-accept"),
    ("truncated", LENGTHS + "4096 bytes: .* was answered by a text of 1024 characters"),
    ("small", LENGTHS + "32769 bytes: .* was answered by a close of 1009"),
    ("greets", LENGTHS + ".* was answered by a text of 7 characters"),
    ("masked", LENGTHS + "the server broke the WebSocket protocol: .* masked"),
    ("last-message", LENGTHS + r"a text of .*Message no\. .* was answered by a text of 0"),
    ("upper-case", LENGTHS + ".*Message no.* was answered by .*MESSAGE NO"),
    ("unread", LENGTHS + ".* was answered by .*Message no. 123456789"),
    ("unread-like-the-loads", r"a text of .*Message no\. .* was answered by .*Message no\. "),
    ("text-as-binary", LENGTHS + ".* was answered by a binary message of"),
    ("drops-empty", LENGTHS + "0 bytes: a text of 0 characters .* by a text of 6 char.*and on"),
    ("trimmed", TYPES + "a text of 1 characters .* by a text of 0 characters"),
    ("binary-as-text", LENGTHS + "0 bytes: a binary message of 0 .* by a text of 0 characters"),
    ("narrow", TYPES + ".* was answered by a text of"),
    ("fragments-as-texts", FRAGMENTS + "in [27] fragments: .* was answered by a text"),
    # Or the first fragment that it sends back ends within a character.
    ("fragment-by-fragment", FRAGMENTS + "(in 2 fragments: .* was answered by a|.* can't decode)"),
    ("without-pong", PING + "a ping of .* was answered by no pong"),
    ("empty-pong", PING + "a ping of 125 bytes .* was answered by a pong of 0 bytes"),
    ("swaps-pairs", LENGTHS + "0 bytes: a text of 0 .* by a binary message of 0 bytes"),
    ("joins", LENGTHS + "0 bytes: a text of 0 .* by a text of 6 characters .*and on"),
    ("to-another", OWN + r"\d+: .* was answered by"),
    ("to-all", OWN + r"\d+: .* was answered by"),
    ("without-close", CLOSE + "the end of the connection came instead of a close"),
    ("other-close", CLOSE + "a close of 1000 was answered by one of 1001"),
    ("stays-open", CLOSE + "the connection is still there after the close"),
    ("never-waits", UNREAD + r"it took 48\.1 MiB and kept them until they were read"),
    ("drops-unread", UNREAD + r"it took 48\.1 MiB, and message \d+ is lost"),
    ("ends-soon", UNREAD + r"it ended the connection after [0-7]\.\d MiB"),
]


@pytest.mark.parametrize(("cheat", "says"), BEFORE)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    with pytest.raises(Mismatch) as found:
        stage("websocket-echo", cheat).verify(timeout=2.0)
    message = str(found.value)
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    stage("websocket-echo").passes()


def test_one_that_ends_the_connection_of_a_client_that_reads_nothing_passes(
    stage: Callable[..., Stage],
) -> None:
    stage("websocket-echo", "ends-late").verify()


def test_an_answer_that_was_given_before_fails_its_check(stage: Callable[..., Stage]) -> None:
    result = stage("websocket-echo", "unread-when-warm").loaded()
    assert result.counts.failed_check > 0


def test_one_that_cuts_messages_in_a_crowd_is_caught_in_the_midst_of_load(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("websocket-echo", "truncated-in-a-crowd")
    assert cheater.judged(cheater.loaded()) == ""
    with pytest.raises(Mismatch, match=r"32768 characters .* by a text of 512 characters"):
        cheater.verify_in_a_crowd()
