"""What the observer saw of the trees of processes under a trial's roles."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class _FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class TreeTotals(_FrozenModel):
    """What a tree has used so far (CPU, switches), and what it holds at this moment (the rest)."""

    cpu_user_s: float
    cpu_system_s: float
    rss_bytes: int = 0
    pss_bytes: int | None = None
    """None where the kernel does not tell, and between the moments at which it is read."""
    threads: int = 0
    processes: int = 0
    ctx_voluntary: int = 0
    ctx_involuntary: int = 0
    run_delay_s: float | None = None

    @property
    def cpu_s(self) -> float:
        """CPU seconds in all."""
        return self.cpu_user_s + self.cpu_system_s

    @property
    def memory_bytes(self) -> int:
        """As fairly as it is known: shared pages by their part, else in full."""
        return self.pss_bytes or self.rss_bytes


class TreeSample(TreeTotals):
    """The same, `t_s` seconds after the observer's start."""

    t_s: float


class TreePeak(_FrozenModel):
    """The largest values seen, each for itself."""

    rss_bytes: int
    pss_bytes: int | None = None


class TreeObservation(_FrozenModel):
    """All that was seen of one role's tree."""

    series: list[TreeSample]
    peak: TreePeak


class Mark(_FrozenModel):
    """A moment that the trial asked to remember."""

    t_s: float
    roles: dict[str, TreeTotals]
    threads: dict[str, dict[int, tuple[float, float]]] = Field(default_factory=dict)
    """Seconds that each living thread has run, and waited for a CPU, by role and thread id."""


class Observed(_FrozenModel):
    """All that was seen."""

    roles: dict[str, TreeObservation]
    marks: dict[str, Mark]
    cost_cpu_s: float | None = None
    """CPU seconds that the observer itself used."""
