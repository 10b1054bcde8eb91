"""Set the environment up where it is not current, then run the command line in it."""

from __future__ import annotations

import os
import sys

import stamp
from layout import DEVELOPMENT, ENGINE, PYTHON, Layout


def main() -> int:
    """The launcher's second half; gives the exit code."""
    layout = Layout.here()
    arguments = sys.argv[1:]
    if "WEBDYNO_HOME" in os.environ:
        # Absolute, because commands may change the working directory.
        os.environ["WEBDYNO_HOME"] = str(layout.home)
    wanted = [PYTHON, ENGINE]
    if arguments[:1] == ["test"]:
        wanted.append(DEVELOPMENT)
    in_venv = os.path.realpath(sys.prefix) == os.path.realpath(layout.venv)
    if not all(stamp.is_current(layout, part) for part in wanted):
        # Imported only now: a start that needs no setup should not pay for it.
        from environment import set_up

        code = set_up(layout, wanted)
        if code != 0:
            return code
        in_venv = False
    if not in_venv:
        here = os.path.dirname(os.path.abspath(__file__))
        try:
            os.execv(layout.python, [str(layout.python), here, *arguments])
        except OSError as error:  # Such as another user's, whose interpreter we may not run.
            print(
                f"webdyno: {layout.python}: cannot be started ({error.strerror}); remove "
                f"{layout.venv}, and it is set up anew",
                file=sys.stderr,
            )
            return 2
    return _command_line(layout)


def _command_line(layout: Layout) -> int:
    sys.path[0] = str(layout.root / "src")
    sys.argv[0] = os.environ.get("WEBDYNO_PROGRAM", sys.argv[0])
    if sys.dont_write_bytecode:
        # Who sets PYTHONDONTWRITEBYTECODE wants no files among the sources, not slow starts.
        sys.dont_write_bytecode = False
        sys.pycache_prefix = str(layout.home / "pycache")
    from webdyno.__main__ import main as command_line

    return command_line()


if __name__ == "__main__":
    try:
        code = main()
    except KeyboardInterrupt:  # Before there is anything that tells it itself.
        print("webdyno: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)
