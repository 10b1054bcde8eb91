"""Nobody without the secret is served, and no order is good without it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from webdyno.cluster.keeper.listener import KeeperListener
from webdyno.cluster.orders.signed import Inbox, OrderDenied, Orders
from webdyno.cluster.orders.tasks import HowFar, Stop
from webdyno.cluster.wire import secret
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.errors import UserError
from webdyno.runtime.ports import free_port

HOST = "127.0.0.1"
SECRET, GUESS = "s" * 64, "g" * 64


@pytest.fixture
def port() -> int:
    port = free_port()
    KeeperListener(HOST, port, SECRET, lambda: {"told": True}, head=False).start()
    return port


def test_who_knows_the_secret_is_answered(port: int) -> None:
    with dial(HOST, port, SECRET, "facts") as channel:
        assert channel.hear() == {"told": True}
    with dial(HOST, port, SECRET, "counters") as channel:
        assert channel.hear().keys() >= {"sent_bytes", "retransmitted"}


def test_a_guess_is_refused_and_told_nothing(port: int) -> None:
    with pytest.raises(ChannelRefused, match="the secrets differ"):
        dial(HOST, port, GUESS, "facts")
    with socket.create_connection((HOST, port)) as link:
        channel = Channel(link)
        channel.hear()
        channel.say({"nonce": "n", "want": "facts", "proof": ""})
        assert "told" not in channel.hear()


@pytest.mark.parametrize("key", ["proof", "nonce", "want"])
@pytest.mark.parametrize("text", ["\u00e9", "\ud800"])
def test_a_proof_that_is_no_plain_text_is_refused_like_any_other(
    port: int, key: str, text: str
) -> None:
    with socket.create_connection((HOST, port), timeout=5) as link:
        channel = Channel(link)
        channel.hear()
        channel.say({"nonce": "n", "want": "facts", "proof": "", key: text})
        assert channel.hear() == {"refused": "the secrets differ"}


def test_a_machine_that_does_not_know_it_is_not_believed() -> None:
    port = free_port()
    KeeperListener(HOST, port, GUESS, dict, head=False).start()
    with pytest.raises(ChannelRefused):
        dial(HOST, port, SECRET, "facts")


def test_noise_does_not_end_the_listener(port: int) -> None:
    for noise in (b"GET / HTTP/1.1\r\n\r\n", b"{}\n", b"[]\n", b"\xff" * 100 + b"\n", b""):
        with socket.create_connection((HOST, port)) as link:
            link.sendall(noise)
    with dial(HOST, port, SECRET, "facts") as channel:
        assert channel.hear() == {"told": True}


def test_only_the_first_machine_holds_lifelines(port: int) -> None:
    with dial(HOST, port, SECRET, "life") as channel:
        assert channel.hear() == {"refused": "life"}


def test_an_order_is_good_once_for_one_agent_from_one_head() -> None:
    inbox = Inbox(SECRET, "10.0.0.2")
    orders = Orders(SECRET, "10.0.0.2")
    first, second = orders.sign(HowFar(load=1)), orders.sign(Stop(load=1))
    assert inbox.take(*first) == HowFar(load=1)
    for text, ticket in (
        first,
        Orders(SECRET, "10.0.0.3").sign(HowFar(load=1)),
        Orders(SECRET, "10.0.0.2").sign(HowFar(load=1)),
        Orders(GUESS, "10.0.0.2").sign(HowFar(load=1)),
        (second[0].replace("stop", "state"), second[1]),
    ):
        with pytest.raises(OrderDenied):
            inbox.take(text, ticket)
    assert inbox.take(*second) == Stop(load=1)


def test_a_secret_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "machines" / "secret"
    secret.make(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(secret.read(file)) == 64
    file.chmod(0o644)
    with pytest.raises(UserError, match="chmod 600"):
        secret.read(file)
    with pytest.raises(UserError, match="no secret file"):
        secret.read(tmp_path / "none")


def test_without_a_file_one_line_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(secret.VARIABLE, raising=False)
    with pytest.raises(UserError, match="--secret FILE"):
        secret.chosen(None)
