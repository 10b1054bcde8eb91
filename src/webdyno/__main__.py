"""`python -m webdyno`: the same as the launcher's command line."""

from __future__ import annotations

import sys

from webdyno.bytecode import mend_cut_short


def main() -> int:
    """Run the command line; gives its exit code."""
    try:
        mend_cut_short()
        # Only now: these modules may be the ones that need it.
        from webdyno.cli.main import main as command_line
    except KeyboardInterrupt:  # The imports take long where the machine is busy.
        print("webdyno: interrupted", file=sys.stderr)
        return 130
    return command_line()


if __name__ == "__main__":
    raise SystemExit(main())
