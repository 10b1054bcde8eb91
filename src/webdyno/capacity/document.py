"""Plans and bills as JSON; the schema is schemas/capacity.schema.json, made from this class."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.capacity.cost import Bill
from webdyno.capacity.plan import Demand
from webdyno.capacity.queue import Discipline
from webdyno.capacity.records import Plan
from webdyno.store.document import Document


class CapacityDocument(Document):
    """How many machines a day's traffic needs, from what a run measured."""

    run: str
    """Id of the run."""
    daily_requests: float
    """Requests a day that are planned for."""
    headroom: float
    """Spare capacity to plan for, as a share: 0.3 is 30%."""
    objective: str
    """What must hold in the busiest hour, such as `p99 < 100ms, errors < 0.1%`."""
    queue: Discipline
    """How a machine serves concurrent requests."""
    published_rule_rps: float
    """Requests per second by the published rule, 80% of them within 40% of the day, for all
    machines together, with the headroom."""
    peak_to_mean: float
    """The day's highest rate, as a multiple of its mean."""
    peak_rps: float
    """Requests per second at the daily curve's peak, for all machines together, with the
    headroom."""
    plans: list[Plan]
    """A server under a scenario and load each; within these, the fewest machines first."""
    bills: list[Bill]
    """A table for each scenario and load; empty without a price."""

    @classmethod
    def of(
        cls,
        run: str,
        demand: Demand,
        queue: Discipline,
        plans: Sequence[Plan],
        bills: Sequence[Bill],
    ) -> CapacityDocument:
        """Of the plans that a demand led to, by the measurements of `run`."""
        return cls(
            run=run,
            daily_requests=demand.daily,
            headroom=demand.headroom,
            objective=demand.goal.text,
            queue=queue,
            published_rule_rps=demand.published_rps,
            peak_to_mean=demand.curve.peak,
            peak_rps=demand.peak_rps,
            plans=list(plans),
            bills=list(bills),
        )
