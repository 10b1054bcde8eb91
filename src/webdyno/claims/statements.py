"""What a write-up concludes, against its own figures."""

from __future__ import annotations

import math
from collections.abc import Iterator

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.published_statement import Statement
from webdyno.catalog.terms.printed import Figure, figure
from webdyno.claims.finding import Finding, FindingOutcome, Sureness, plain, share, shares_apart
from webdyno.claims.resolution import apart_at_least, unrepeated

CHECK = "statement"
_ABOUT = 0.1
"""A round number is not meant more closely than by a tenth."""
_KEYS = {"throughput": "throughput", "mean": "mean", "cpu": "cpu_cores", "memory": "memory"}


def statements(manifest: PublishedManifest) -> Iterator[Finding]:
    """One finding for each statement, in their order."""
    for statement in manifest.statements:
        yield judged(manifest, statement)


def judged(manifest: PublishedManifest, statement: Statement) -> Finding:
    """The statement against the figures of its table, its own numbers, or what its text shows."""
    if statement.gives:
        return _multiplied(statement, statement.gives)
    if statement.outcome:
        return _finding_of(statement, statement.outcome, "certain", statement.shown.rstrip("."))
    table = manifest.table(statement.table)
    of = table.named(statement.of) if table else None
    to = table.named(statement.to) if table else None
    key = _KEYS.get(statement.metric)
    if table is None or of is None or to is None or key is None:
        return _finding_of(
            statement, "untold", "certain", "the write-up prints no figures that support it"
        )
    numerator, denominator = table.figure(of, key), table.figure(to, key)
    if numerator is None or denominator is None or not numerator.value or not denominator.value:
        return _finding_of(
            statement, "untold", "certain", _why_no_ratio(statement, numerator, denominator)
        )
    ratio = numerator.value / denominator.value
    numbers = f"{numerator.text} against {denominator.text}"
    if statement.times or statement.more or statement.saves:
        return _sized(statement, ratio, numerator, denominator, numbers)
    more, less = (
        (numerator, denominator) if statement.metric == "throughput" else (denominator, numerator)
    )
    if more.high < less.low:
        return _finding_of(
            statement, "contradicts", "certain", f"the figures say otherwise, {numbers}"
        )
    if more.low <= less.high:
        return _finding_of(
            statement, "untold", "likely", f"{numbers} may be equal but for their rounding"
        )
    needed = apart_at_least(table, of, to) if key == "throughput" else unrepeated(table)
    return _clear(statement, more.value / less.value, needed, numbers)


def _why_no_ratio(
    statement: Statement, numerator: Figure | None, denominator: Figure | None
) -> str:
    """Why there is no ratio of the two."""
    found = {statement.of: numerator, statement.to: denominator}
    missing = [label for label, figure in found.items() if figure is None]
    if len(missing) == 1:
        return f"the write-up prints no figure for {missing[0]}"
    if missing:
        return f"the write-up prints no figure for {statement.of}, and none for {statement.to}"
    zero = " and ".join(label for label, figure in found.items() if figure and not figure.value)
    return f"the figure for {zero} is zero"


def _multiplied(statement: Statement, gives: str) -> Finding:
    said = figure(gives, "number")
    found = math.prod(figure(text, "number").value for text in statement.product)
    outcome: FindingOutcome = "holds" if abs(found - said.value) <= said.step else "contradicts"
    digits = ",.0f" if found >= 1e9 else ",.9g"
    made = f"{' × '.join(statement.product)} = {found:{digits}}"
    made += f", not {gives}" if outcome == "contradicts" else ""
    return _finding_of(statement, outcome, "certain", made)


def _sized(
    statement: Statement, ratio: float, numerator: Figure, denominator: Figure, numbers: str
) -> Finding:
    """Rounded or cut off in its last digit, a statement still holds."""
    if statement.more:
        stated = figure(statement.more, "share")
        target, measured = stated.value + 1, _percent_apart(ratio)
    elif statement.saves:
        stated = figure(statement.saves, "share")
        target, measured = 1 - stated.value, _percent_apart(ratio)
    else:
        stated = figure(statement.times or "1", "number")
        target, measured = stated.value, f"a ratio of {plain(ratio)}"
    loose = min(stated.step * _zeros(stated), max(stated.step / 2, _ABOUT * target))
    reach = loose + ratio * (
        (numerator.high - numerator.low) / 2 / numerator.value
        + (denominator.high - denominator.low) / 2 / denominator.value
    )
    if abs(ratio - target) <= reach:
        if not statement.times and share(stated.value) not in measured:
            # Rounded otherwise, it looked like a contradiction.
            measured = measured.replace(share(abs(ratio - 1)), f"{100 * abs(ratio - 1):,.1f}%")
        return _finding_of(statement, "holds", "certain", f"{numbers} is {measured}")
    return _finding_of(statement, "contradicts", "certain", f"{numbers} is {measured}")


def _percent_apart(ratio: float) -> str:
    return f"{share(ratio - 1)} more" if ratio >= 1 else f"{share(1 - ratio)} less"


def _zeros(stated: Figure) -> float:
    """`50` is meant to tens: its last digit that counts is the first."""
    digits = stated.text.rstrip("%kM ").lstrip("~")
    if "." in digits:
        return 1.0
    return 10.0 ** (len(digits) - len(digits.rstrip("0"))) if digits.strip("0") else 1.0


def _clear(statement: Statement, better: float, needed: float, numbers: str) -> Finding:
    """Whether a difference is larger than the smallest that can be told from none."""
    if better - 1 < needed:
        differ, least = shares_apart(better - 1, needed)
        reason = f"{numbers} is a difference of {differ}; up to {least} could be chance"
        return _finding_of(statement, "untold", "likely", reason)
    return _finding_of(statement, "holds", "likely", f"{numbers}, a ratio of {plain(better)}")


def _finding_of(
    statement: Statement, outcome: FindingOutcome, sureness: Sureness, reason: str
) -> Finding:
    said = statement.says.rstrip(".")
    note = f" ({statement.note})" if statement.note else ""
    return Finding(CHECK, outcome, sureness, f"“{said}”: {reason}{note}.", statement.table)
