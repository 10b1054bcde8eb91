"""Type checks with a process a core, or with none: mypy waits three seconds for its own processes,
and a busy machine may need longer to start them."""

from __future__ import annotations

import subprocess
import sys

NOT_STARTED = "Failed to establish connection with worker"


def main(arguments: list[str]) -> int:
    """Run mypy; gives its exit code."""
    mypy = [sys.executable, "-m", "mypy", *arguments]
    done = subprocess.run([*mypy, "--num-workers=auto"], stdout=subprocess.PIPE, text=True)
    if NOT_STARTED in done.stdout:
        print("mypy's processes did not start in time; once more in one process", flush=True)
        return subprocess.run(mypy).returncode
    sys.stdout.write(done.stdout)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
