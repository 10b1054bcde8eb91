"""The load engine and the process observer, written in Rust (see engine/).

Both speak JSON; the specification and the results are described in docs and in engine/spec
and engine/src/record/result.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import final

@final
class Load:
    """Makes HTTP load by a specification, on threads that never hold Python's lock."""

    def __new__(cls, spec: str) -> Load:
        """Read and validate the JSON of a load.

        Raises ValueError with one line that names the key and the remedy.
        """

    def start(self) -> None:
        """Open the connections and begin. Raises RuntimeError when started before."""

    def begin(self, at_ns: int | None = None) -> None:
        """Let a load begin that was `held` with its connections open.

        It does so at `at_ns` on the system's monotonic clock (`time.monotonic_ns()`), or at once
        where that has passed or is not given.
        """

    def progress(self) -> str:
        """JSON of how far the load is.

        `elapsed_s`; `phase`: connecting, ready (held), loading, draining or done; `done`; `counts`;
        `ok_total`; `in_flight`; `ticks`: windows of 100 ms since the last call, each its end in
        seconds, right answers, errors.
        """

    def pause(self) -> None:
        """Let the load stand still, with what is under way, and its clock with it.

        Returns once it does or has ended; connections are opened first.
        """

    def resume(self) -> None:
        """Let a paused load go on."""

    def begin_change(self, spec: str) -> None:
        """Tell of a change of the server's state before it is made: old and new are right now.

        `spec` is JSON: `kind` lookup, `variable` and `expected`; `kind` count and `values`, which
        counters go on from; or `kind` state, which no check of an answer tells.
        Raises ValueError with one line where it makes no sense, or another one is under way.
        """

    def end_change(self) -> None:
        """The change is made: what is sent from now on must be answered by the new state."""

    def stop(self) -> None:
        """End early, at once. Requests under way count as unfinished; the result stays valid."""

    def wait(self, timeout_s: float) -> bool:
        """Wait until the load has ended, at most `timeout_s` seconds: whether it has."""

    def result(self) -> str:
        """JSON of what the load yielded.

        Raises RuntimeError before it has ended, and once where its record could not be written:
        asked again, it gives what was measured.
        """

@final
class Observer:
    """Samples CPU, memory, threads and context switches of process trees, on its own thread."""

    def __new__(
        cls,
        roots: dict[str, int],
        interval_s: float = 0.05,
        cpu: int | None = None,
        groups: Mapping[str, Path] = ...,
    ) -> Observer:
        """Observe the trees under `roots` (role to process id), from CPU `cpu` if given.

        `groups` (role to folder) are control groups that hold all processes of a role and nothing
        else: their account of CPU time counts where it is more than the processes show.

        Raises ValueError for an interval that cannot be kept.
        """

    def start(self) -> None:
        """Begin to sample. Raises RuntimeError when started before."""

    def mark(self, name: str) -> None:
        """Remember what was used up to now under `name`."""

    def join(self, role: str, pid: int) -> None:
        """Count process `pid` and all below it to `role`, wherever it hangs.

        Raises RuntimeError before the start and for a role that is not watched.
        """

    def pause(self) -> None:
        """Let the sampling and its clock stand still. Raises RuntimeError before the start."""

    def resume(self) -> None:
        """Let a paused sampling go on. Raises RuntimeError before the start."""

    def stop(self) -> str:
        """End, and give the samples and marks as JSON."""

def give_up_rights(read: list[str], write: list[str]) -> bool:
    """Leave the calling thread, and all it starts from then on, these rights over files alone.

    It may read and execute below `read`, do anything below `write`, and send signals only to
    processes that gave up the same. Gives whether the kernel holds to it. Raises OSError.
    """

def serve_known(behaviour: str) -> None:
    """Serve as a server of known behaviour until the process ends; its port is printed first.

    `instant` answers at once. `stall` answers 1 ms after reading, and stands still from 1 s to
    1.2 s of every 2 s since the first request. Raises ValueError for another behaviour.
    """

def malformed() -> dict[str, str]:
    """What is wrong with a malformed answer, in words, by the name that details of errors have."""
