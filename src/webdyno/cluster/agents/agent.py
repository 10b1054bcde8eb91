"""A load engine on another machine: makes its part of a load, as it is told by whoever knows the
secret, and only against machines of the cluster.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webdyno.cluster.agents.hindrances import Hindrances
from webdyno.cluster.agents.turn import Turn
from webdyno.cluster.link.clock import read_clock
from webdyno.cluster.link.counters import interface_of, read_counters, since
from webdyno.cluster.link.pinger import Pinger, Pings
from webdyno.cluster.link.throughput import try_download, try_upload
from webdyno.cluster.machines.ray_start import end_with_parent
from webdyno.cluster.orders.answers import (
    AgentAnswer,
    LinkTried,
    PartProgress,
    PartYielded,
    Prepared,
    RoundTrip,
)
from webdyno.cluster.orders.part_result import PartResult
from webdyno.cluster.orders.signed import Inbox, OrderDenied
from webdyno.cluster.orders.tasks import (
    Begin,
    ChangeState,
    GiveResult,
    HowFar,
    Pause,
    Prepare,
    Resume,
    RoundTrips,
    SayReady,
    Stop,
    TakeTurn,
    ToServer,
    TryLink,
    TryTarget,
    Turned,
    Work,
)
from webdyno.cluster.wire import secret
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.errors import UserError
from webdyno.generators.specification import TargetSpec
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import load_cores

_END_S = 5.0
_CONNECT_S = 2.0


class Agent:
    """Runs where Ray has placed it. What it is asked (`orders.tasks`) it answers
    (`orders.answers`), or says in one line why it will not."""

    def __init__(self, address: str, keeper_port: int) -> None:
        self._address, self._port = address, keeper_port
        self._secret = secret.read(Path(os.environ[secret.VARIABLE]))
        self._inbox = Inbox(self._secret, address)
        self._interface = interface_of(address)
        self._loads: dict[int, _Going] = {}

    def do(self, text: str, ticket: str) -> dict[str, object]:
        """Do what the order says, if it bears the secret."""
        try:
            task = self._inbox.take(text, ticket)
            answer: AgentAnswer = getattr(self, f"_{task.do}")(task)
        except (
            OrderDenied,
            ChannelRefused,
            UserError,
            OSError,
            ValueError,
            RuntimeError,
        ) as refusal:
            return {"refused": str(refusal)}
        return answer.model_dump()

    def _link(self, task: TryLink) -> LinkTried:
        """Try the link to another machine: `way` is up or down, for `seconds`, from an instant of
        this machine's monotonic clock on."""
        attempt = try_upload if task.way == "up" else try_download
        time.sleep(max(0.0, task.at_ns / 1e9 - time.monotonic()))
        late_s = time.monotonic() - task.at_ns / 1e9
        rate = attempt(self._dialler(task), task.seconds)
        return LinkTried(bytes_per_s=rate, late_s=late_s)

    def _ready(self, _task: SayReady) -> AgentAnswer:
        """It is there."""
        return AgentAnswer()

    def _work(self, task: Work) -> AgentAnswer:
        """Start the process that does a study's work on this machine, for whoever dials it; see
        `far_servers.worker`. It ends with this one."""
        with (Home.default().root / "machines" / "worker.log").open("wb") as log:
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "webdyno.cluster.far_servers.worker",
                    self._address,
                    str(task.port),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        return AgentAnswer()

    def _rtt(self, task: RoundTrips) -> RoundTrip:
        """The round-trip time to another machine while nothing else is on the way."""
        with self._dialler(task)("clock") as channel:
            return RoundTrip(rtt_s=max(0.0, read_clock(channel, task.samples).rtt_median_s))

    def _target(self, task: TryTarget) -> AgentAnswer:
        """Whether what a load is for can be reached from here."""
        host, port = task.target.host, task.target.port
        self._refuse_strangers(task.target)
        try:
            socket.create_connection((host, port), timeout=_CONNECT_S).close()
        except OSError as error:
            # A time-out has no number, and so no text of the system's.
            why = "no reply" if isinstance(error, TimeoutError) else error.strerror or str(error)
            raise UserError(
                f"nothing answers at {host}:{port} ({why.lower()}); start the server or check the "
                "port"
            ) from None
        return AgentAnswer()

    def _prepare(self, task: Prepare) -> Prepared:
        """Open the connections of a part of a load, and wait to be told when to begin."""
        from webdyno._engine import Load

        self._refuse_strangers(task.spec.target)
        spec = task.spec.model_copy(update={"allow_remote": True, "held": True})
        # Whose result nobody has asked for by now.
        self._loads = {key: one for key, one in self._loads.items() if not one.stopped}
        load = Load(spec.json_text())
        load.start()
        self._loads[task.load] = _Going(load)
        return Prepared(cores=load_cores())

    def _begin(self, task: Begin) -> AgentAnswer:
        """Begin at an instant of this machine's monotonic clock; watch the link meanwhile."""
        going = self._loads[task.load]
        going.before = read_counters(self._interface)
        going.hindrances.go_on()
        going.load.begin(task.at_ns)
        if task.turn_s is not None:
            going.turn = Turn(going.load, task.at_ns, task.turn_s, first=True)
        going.pinger = Pinger(self._dialler(task), task.ping_s)
        going.pinger.start()
        return AgentAnswer()

    def _turn(self, task: TakeTurn) -> AgentAnswer:
        """Let a load that stands still have a turn of `seconds` from an instant on."""
        going = self._loads[task.load]
        going.before = read_counters(self._interface)
        going.hindrances.go_on()
        going.turn = Turn(going.load, task.at_ns, task.seconds, first=False)
        if going.pinger is not None:
            going.pinger.go_on()
        return AgentAnswer()

    def _turned(self, task: Turned) -> PartProgress:
        """How far the load is at the end of its turn."""
        going = self._loads[task.load]
        assert going.turn is not None
        going.turn.join()
        if going.pinger is not None:
            going.pinger.hold()
        going.count(read_counters(self._interface))
        going.late_s.append(going.turn.late_s)
        going.turn = None
        return PartProgress.model_validate_json(going.load.progress())

    def _state(self, task: HowFar) -> PartProgress:
        """How far the load is, in the engine's words: now, or after `wait_s` or its end."""
        load = self._loads[task.load].load
        load.wait(task.wait_s)
        return PartProgress.model_validate_json(load.progress())

    def _pause(self, task: Pause) -> AgentAnswer:
        """Let the load stand still."""
        self._loads[task.load].load.pause()
        return AgentAnswer()

    def _resume(self, task: Resume) -> AgentAnswer:
        """Let it go on."""
        self._loads[task.load].load.resume()
        return AgentAnswer()

    def _change(self, task: ChangeState) -> AgentAnswer:
        """The server's state changes as `spec` says; without it, it has changed."""
        load = self._loads[task.load].load
        if task.spec is None:
            load.end_change()
        else:
            load.begin_change(task.spec)
        return AgentAnswer()

    def _stop(self, task: Stop) -> AgentAnswer:
        """End the load early."""
        going = self._loads.get(task.load)
        if going is not None:
            going.load.stop()
            going.load.wait(_END_S)
            going.stopped = True
            if going.pinger is not None:
                going.pinger.end()
        return AgentAnswer()

    def _result(self, task: GiveResult) -> PartYielded:
        """What the ended load yielded here, and what the kernel and the link said beside it."""
        going = self._loads.pop(task.load)
        if not going.late_s:
            going.count(read_counters(self._interface))
        return PartYielded(
            result=PartResult.model_validate_json(going.load.result()),
            counters=going.counted,
            pings=going.pinger.end() if going.pinger else Pings(),
            turns_late_s=going.late_s,
            hindered=going.hindrances.so_far(),
        )

    def _dialler(self, task: ToServer) -> Callable[[str], Channel]:
        def reach(want: str) -> Channel:
            return dial(task.server, task.port, self._secret, want, source=self._address)

        return reach

    def _refuse_strangers(self, target: TargetSpec) -> None:
        """Raise `UserError` where the load would go to a machine that is not of the cluster."""
        resolved = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        for address in {str(entry[4][0]) for entry in resolved}:
            try:
                dial(address, self._port, self._secret, "facts", source=self._address).close()
            except (OSError, ChannelRefused):
                raise UserError(
                    f"{target.host} is {address} here, which is not a machine of this cluster; "
                    "run `webdyno machines join` there"
                ) from None


@dataclass
class _Going:
    """A part of a load that is under way here."""

    load: Any
    before: dict[str, int] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    """By the kernel while the load went on, not while it stood still."""
    hindrances: Hindrances = field(default_factory=Hindrances)
    pinger: Pinger | None = None
    turn: Turn | None = None
    late_s: list[float] = field(default_factory=list)
    """How late each of its turns began."""
    stopped: bool = False

    def count(self, now: dict[str, int]) -> None:
        """Add what was counted since `before`."""
        self.hindrances.hold()
        for key, value in since(self.before, now).items():
            self.counted[key] = self.counted.get(key, 0) + value
