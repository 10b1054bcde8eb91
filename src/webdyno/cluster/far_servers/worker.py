"""The process on the machine that runs a study's servers: it does what a run's head asks for.

It lives as long as the connection to the head, under a warden, and takes all that it started with
it. An agent starts it; whoever dials it has to know the secret.
"""

from __future__ import annotations

import os
import queue
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from webdyno.cluster.wire import secret
from webdyno.cluster.wire.channel import ChannelRefused, welcome
from webdyno.cluster.wire.frames import Frames
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

DIALLED_WITHIN_S = 30.0
BEAT_S = 1.0
"""How often it shows that it is there."""

WorkRequest = tuple[str, tuple[Any, ...], int]
"""What is to be done, with what, and the number by which the answer is known."""


def work(address: str, port: int) -> int:
    """Serve one head until it goes."""
    from webdyno.cluster.far_servers.works import Works

    known = secret.read(Path(os.environ[secret.VARIABLE]))
    with socket.create_server((address, port)) as listening:
        listening.settimeout(DIALLED_WITHIN_S)
        link, _ = listening.accept()
    channel, want = welcome(link, known)
    if want != "work":
        return 2
    link.settimeout(None)
    frames = Frames(channel, known, first=False)
    requests: queue.Queue[WorkRequest] = queue.Queue()
    threading.Thread(target=_hear, args=(frames, requests), daemon=True).start()
    threading.Thread(target=_beat, args=(frames,), daemon=True).start()

    def tell(kind: str, payload: Any) -> None:
        frames.send((kind, payload, 0))

    with Works(address, tell, lambda: requests.get()[1][0]) as works:
        try:
            while True:
                name, arguments, number = requests.get()
                frames.send((*_answer(getattr(works, name), arguments), number))
        except (KeyboardInterrupt, OSError):
            # Told so by the lost connection, by the agent's end, or by both: once is enough.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return 0


def _answer(method: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", method(*arguments)
    except UserError as error:
        return "refused", str(error)
    except Exception as error:
        if os.environ.get("WEBDYNO_DEBUG"):
            import traceback

            traceback.print_exc()
        return "failed", f"{type(error).__name__}: {error}"


def _hear(frames: Frames, requests: queue.Queue[WorkRequest]) -> None:
    """Hand on what the head asks; when it is gone, this process ends, with all clean-up."""
    try:
        while True:
            requests.put(frames.receive())
    except (OSError, ChannelRefused):
        os.kill(os.getpid(), signal.SIGTERM)


def _beat(frames: Frames) -> None:
    over = threading.Event()
    try:
        while not over.wait(BEAT_S):
            frames.send(("beat", None, 0))
    except OSError:
        return


if __name__ == "__main__":
    sys.exit(supervised(lambda: work(sys.argv[1], int(sys.argv[2])), Home.default().temporary))
