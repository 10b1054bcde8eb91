"""A trial's folders: what its server is given, what it writes for the verifier, what is its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.trees import hand_over, let_all_read


@dataclass(frozen=True)
class TrialFolders:
    """Those below `root`, which no server writes to. Webdyno itself writes to `given` alone once a
    server has been started: in the others a link may stand in the place of any file."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> TrialFolders:
        """They are made at `root`, which need not exist."""
        made = cls(root)
        for folder in (made.laid_out, made.written):
            folder.mkdir(parents=True, exist_ok=True)
        return made

    @property
    def laid_out(self) -> Path:
        """What the verifier lays out for the server, and changes while it runs. The server reads
        it."""
        return self.root / "given"

    @property
    def written(self) -> Path:
        """What the server writes for the verifier to read, such as a log; common to all starts."""
        return self.root / "written"

    def of_start(self, suffix: str = "") -> Path:
        """What one start of the server has for itself; `suffix` tells a further one from the
        first."""
        return self.root / f"own{suffix}"

    def hand_over(self, user: str | None, suffix: str = "") -> None:
        """Let a server that runs as `user`, or as Webdyno's own where None, use them. Nobody has
        written to those of this start so far."""
        hand_over(self.of_start(suffix), user)
        # At a further start, the server that was started first writes there.
        if not suffix:
            hand_over(self.written, user)
            if user:
                let_all_read(self.laid_out)
