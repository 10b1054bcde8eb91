"""`webdyno doctor --generators`: the load engine beside the other generators of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from webdyno.store.document import Document, printed
from webdyno.store.record import Amount, Count, Record

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webdyno.generators.cross_check.check import ComparedGenerator, CrossCheck

BUSY = 0.5
"""Load average above which others had a part in the figures."""


def run(console: Console, *, as_json: bool) -> None:
    """Measure for about a minute, and show what came of it."""
    from webdyno.generators.cross_check.check import check

    if as_json:
        console.print_json(printed(document(check(lambda _: None))))
        return
    with console.status("measuring for about a minute") as status:
        checked = check(lambda step: status.update(step))
    show(console, checked)


def show(console: Console, checked: CrossCheck) -> None:
    """The tables, and what to know of them."""
    from rich.text import Text

    from webdyno.generators.cross_check import check as of
    from webdyno.report.layout import say, say_doubt

    closed = f"{of.CONNECTIONS} connections, {of.ROUNDS} rounds of {of.CLOSED_S} s"
    console.print(cost_table(checked))
    say(
        console,
        f"{closed}. CPU is the CPU time of the whole process per answer, also relative to the "
        "engine's. The engine's CPU time excludes the start of its Python host; its memory "
        "includes it.\n",
    )
    console.print(latency_table(checked))
    say(
        console,
        f"{of.RATE:,}/s for {of.OPEN_S} s on a server that answers after 1 ms and stalls for "
        "200 ms of every 2 s; the true latencies are simulated. Server on core "
        f"{checked.server_cpu}, generator on core {checked.client_cpu}.",
    )
    for line in remarks(checked):
        say_doubt(console, line)
    for tool in checked.missing:
        # Whole on a terminal as well: it is there to be copied.
        console.print(Text(f"{tool.name} is not installed: {tool.install}"), soft_wrap=True)


def cost_table(checked: CrossCheck) -> Table:
    """What a request costs each generator."""
    from rich.text import Text

    columns = ("version", "answers/s", "CPU µs", "engine's CPU", "memory MB")
    shown = _table("Closed load", columns)
    for row in checked.compared:
        shown.add_row(
            row.name,
            Text(row.version),  # In the program's own words.
            _number(row.rps, 0),
            _number(row.cpu_us, 2),
            _ratio(row),
            _number(row.peak_bytes and row.peak_bytes / 1e6, 0),
        )
    return shown


def latency_table(checked: CrossCheck) -> Table:
    """What each generator sees of a server that stands still, and what its users would."""
    from webdyno.generators.cross_check.check import SHARES

    shown = _table("Open load", [f"p{share * 100:g} ms" for share in SHARES])
    for row in checked.compared:
        if row.latency_ms:
            shown.add_row(row.name, *(_number(row.latency_ms.get(share), 2) for share in SHARES))
    truth = (_number(checked.truth_ms[share], 2) for share in SHARES)
    shown.add_row("truth", *truth, style="bold")
    return shown


def _table(title: str, columns: Sequence[str]) -> Table:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, title=title, title_justify="left")
    shown.add_column("")
    for column in columns:
        shown.add_column(column, justify="right", no_wrap=True)
    return shown


def remarks(checked: CrossCheck) -> list[str]:
    """What casts doubt on the figures."""
    texts = []
    if checked.load_average > BUSY:
        texts.append(
            f"other programs were running (load average {checked.load_average:.1f}): only the "
            "ratios are meaningful; repeat this on a quiet machine"
        )
    if checked.server_cpu == checked.client_cpu:
        texts.append("server and generator shared one core and slowed each other down")
    texts += [
        f"{row.name} {row.version}: the documentation's figures are for {row.pinned}"
        for row in checked.compared
        if row.pinned and row.version != row.pinned
    ]
    texts += [f"{row.name}: {failure}" for row in checked.compared for failure in row.failures]
    return texts


class GeneratorTried(Record):
    """A load generator's figures; null where it does not tell, or failed to."""

    name: str
    """Of the program."""
    version: str
    """That is installed."""
    documented_version: str | None
    """That the documentation's figures are stated for; null for the engine."""
    answers_rps: Amount | None
    """Answers per second under a closed load."""
    cpu_us_per_answer: Amount | None
    """CPU microseconds per answer, of its whole process; the engine's without its Python host's."""
    engine_cpu_ratio: Amount | None
    """The engine's CPU per answer by this one's, in the same round."""
    peak_bytes: Count | None
    """The most memory that it used."""
    latency_ms: dict[str, Amount] | None
    """What it sees of a server that stalls: quantiles in milliseconds, `p50` and so on; null where
    it makes no open loads."""
    failures: list[str]
    """What went wrong with it."""


class GeneratorMissing(Record):
    """A load generator that is not installed."""

    name: str
    """Of the program."""
    install: str
    """How to install it."""


class GeneratorsDocument(Document):
    """The load engine beside the other generators of this machine."""

    generators: list[GeneratorTried]
    """The engine, then those that are installed."""
    truth_ms: dict[str, Amount]
    """What users of the server that stalls would have seen, by simulation: quantiles in
    milliseconds."""
    missing: list[GeneratorMissing]
    """Those that are not installed."""
    remarks: list[str]
    """What casts doubt on the figures."""


def document(checked: CrossCheck) -> GeneratorsDocument:
    """The same for machines."""
    return GeneratorsDocument(
        generators=[
            GeneratorTried(
                name=row.name,
                version=row.version,
                documented_version=row.pinned or None,
                answers_rps=row.rps,
                cpu_us_per_answer=row.cpu_us,
                engine_cpu_ratio=row.engine_cpu_ratio,
                peak_bytes=row.peak_bytes,
                latency_ms=_quantiles(row.latency_ms) if row.latency_ms else None,
                failures=list(row.failures),
            )
            for row in checked.compared
        ],
        truth_ms=_quantiles(checked.truth_ms),
        missing=[GeneratorMissing(name=t.name, install=t.install) for t in checked.missing],
        remarks=remarks(checked),
    )


def _quantiles(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"p{share * 100:g}".replace(".", ""): value for share, value in quantiles.items()}


def _ratio(row: ComparedGenerator) -> str:
    return "–" if row.engine_cpu_ratio is None else f"× {row.engine_cpu_ratio:.2f}"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
