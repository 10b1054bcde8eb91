"""Steps under way: shown with their seconds, their output kept in a log."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TAIL_LINES = 15


class StepFailed(Exception):
    """A step's command ended badly; `tail` is the end of what it printed."""

    def __init__(self, title: str, command: str, code: int, tail: list[str]) -> None:
        super().__init__(f"{title} failed: {command} exited with code {code}")
        self.tail = tail


class Step:
    """One titled sequence of commands, run one after the other in the background.

    When the last of them has succeeded, `done` is called once, and the step that `then` gives
    begins.
    """

    def __init__(
        self,
        title: str,
        commands: Sequence[Sequence[str]],
        folder: Path,
        env: Mapping[str, str],
        log: Path,
        done: Callable[[], None] = lambda: None,
        then: Callable[[], Step] | None = None,
    ) -> None:
        self.title = title
        self.then = then
        self._done = done
        self._commands = [list(command) for command in commands]
        self._command: list[str] = []
        self._folder = folder
        self._env = dict(env)
        self._log = log
        self._output = log.open("wb")
        self._started = time.monotonic()
        self._process = self._start()

    def poll(self) -> bool:
        """True when the last command has ended. Raises `StepFailed`."""
        code = self._process.poll()
        if code is None:
            return False
        if code != 0:
            raise StepFailed(self.title, Path(self._command[0]).name, code, self.tail())
        if not self._commands:
            self._output.close()
            self._done()
            return True
        self._process = self._start()
        return False

    def stop(self) -> None:
        """End the command under way, if any."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._output.close()

    def seconds(self) -> float:
        """Since the step began."""
        return time.monotonic() - self._started

    def tail(self) -> list[str]:
        """The last lines printed."""
        text = self._log.read_text(encoding="utf-8", errors="replace")
        return [line for line in text.splitlines() if line.strip()][-_TAIL_LINES:]

    def _start(self) -> subprocess.Popen[bytes]:
        self._command = self._commands.pop(0)
        self._output.write(f"$ {' '.join(self._command)}\n".encode())
        self._output.flush()
        return subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            preexec_fn=end_with_parent,
        )


def end_with_parent() -> None:
    """Ask Linux to end this child with its parent, so that a killed setup writes no more."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def run_together(steps: Sequence[Step]) -> None:
    """Wait for all steps and those that follow them, showing them.

    The first failure stops the others and is raised.
    """
    running = list(steps)
    try:
        while running:
            for step in list(running):
                if step.poll():
                    running.remove(step)
                    say(f"{step.title} ({step.seconds():.1f} s)", mark="✓")
                    if step.then:
                        running.append(step.then())
            if running:
                _draw(running)
                time.sleep(0.05)
    finally:
        _clear()
        for step in running:
            step.stop()


def say(text: str, mark: str = "·") -> None:
    """A line that stays. On stderr, so that a command's own output stays clean."""
    _clear()
    print(f"{mark} {text}", file=sys.stderr, flush=True)


def _draw(running: Sequence[Step]) -> None:
    if not running or not sys.stderr.isatty():
        return
    frame = _SPINNER[int(time.monotonic() * 10) % len(_SPINNER)]
    titles = " · ".join(f"{step.title} {step.seconds():.0f} s" for step in running)
    latest = (running[-1].tail() or [""])[-1].strip()
    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write("\r\033[K" + f"{frame} {titles}  {latest}"[:width])
    sys.stderr.flush()


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
