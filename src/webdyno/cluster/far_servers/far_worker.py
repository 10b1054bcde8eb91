"""The head's end of the connection to the machine that runs a study's servers."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from webdyno.cluster.agents.cluster import AgentLost, Agents
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.orders.answers import AgentAnswer
from webdyno.cluster.orders.tasks import Work
from webdyno.cluster.wire import secret
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.cluster.wire.frames import Frames
from webdyno.errors import UserError
from webdyno.trial.events import Listener

THERE_WITHIN_S = 30.0
SILENT_S = 10.0
"""No beat for so long, and the machine is cut off."""


class WorkerLost(Exception):
    """The worker, or its whole machine, is gone; the message names it."""


class WorkerFailure(Exception):
    """The worker met what nobody foresaw."""


class FarWorker:
    """Has a worker do things, one after the other."""

    def __init__(
        self, agents: Agents, member: Membership, address: str, role: str = "server"
    ) -> None:
        """Have the agent at `address` start it, and dial it. Raises `WorkerLost`, `UserError`."""
        self._agents, self._address, self._role = agents, address, role
        answer = agents.ask({address: Work(port=member.worker_port)}, AgentAnswer, THERE_WITHIN_S)
        cluster_secret = secret.read(Path(member.secret))
        try:
            if isinstance(lost := answer[address], AgentLost):
                raise WorkerLost(f"{address} is lost: {lost.reason}")
            channel = self._dialled(member, cluster_secret)
        except BaseException:
            agents.end()  # And what it has started, which would be in the way of the next one.
            raise
        channel.link.settimeout(SILENT_S)
        self._frames = Frames(channel, cluster_secret, first=True)
        self._request_number = 0

    def _dialled(self, member: Membership, cluster_secret: str) -> Channel:
        deadline = time.monotonic() + THERE_WITHIN_S
        while True:
            try:
                return dial(
                    self._address, member.worker_port, cluster_secret, "work", source=member.address
                )
            except (OSError, ChannelRefused) as error:
                if time.monotonic() > deadline:
                    raise WorkerLost(
                        f"the worker on {self._address} does not answer ({error}); see "
                        "machines/worker.log there, or wait: another study may be under way"
                    ) from None
            time.sleep(0.05)

    def ask(self, listener: Listener, name: str, *arguments: Any) -> Any:
        """What it gives back; what it tells meanwhile goes to `listener`.

        Raises `WorkerLost`, `WorkerFailure`, and `UserError` where it refuses.
        """
        parts = self.parts(listener, iter(()), name, *arguments)
        while True:
            try:
                next(parts)
            except StopIteration as end:
                return end.value

    def parts(
        self, listener: Listener, answers: Iterator[Any], name: str, *arguments: Any
    ) -> Generator[Any, None, Any]:
        """The same of something that it gives in parts, each as it comes; what it asks for
        meanwhile it gets from `answers`, and None where there is no more.

        Raises as `ask` does.
        """
        self._request_number += 1
        self._send(name, arguments)
        while True:
            kind, what, number = self._received()
            if kind == "event":
                listener(what)
            elif kind == "want":
                self._send("", (next(answers, None),))
            elif kind == "trial":
                yield what
            elif number != self._request_number:
                continue  # A beat, or for somebody who waits no longer.
            elif kind == "done":
                return what
            elif kind == "refused":
                raise UserError(what)
            elif kind == "failed":
                raise WorkerFailure(what)

    def _send(self, name: str, arguments: tuple[Any, ...]) -> None:
        try:
            self._frames.send((name, arguments, self._request_number))
        except OSError as error:
            raise self._lost_error(error) from None

    def _received(self) -> tuple[str, Any, int]:
        try:
            frame: tuple[str, Any, int] = self._frames.receive()
        except (OSError, ChannelRefused) as error:
            raise self._lost_error(error) from None
        return frame

    def _lost_error(self, error: Exception) -> WorkerLost:
        return WorkerLost(f"{self._address}, the {self._role}'s machine, is lost ({error})")

    def close(self) -> None:
        """Let it go: it ends with all that it started."""
        self._frames.close()
        self._agents.end()
