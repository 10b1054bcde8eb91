"""Comparisons made by `webdyno ab` itself, as its users make them, beside a neighbour."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.ab.journal import Journal, Line
from benchmarks.ab.services import LANGUAGES, Service, environment
from benchmarks.verdicts.neighbour import neighbour
from webdyno.errors import UserError

FALSE_ALARMS, FOUND = "false-alarms", "found"

STOPPED_FROM_S = 10.0
"""A gap between two looks at the clock, a second apart, that means that all was stopped."""


@dataclass(frozen=True)
class ComparisonOptions:
    """What a comparison is given. `budget` as `webdyno ab` takes it."""

    budget: str
    share: float
    """Of a core that the neighbour takes."""
    languages: tuple[str, ...] = LANGUAGES


def compare_same(journal: Journal, options: ComparisonOptions, pairs: int) -> None:
    """`pairs` comparisons of services with themselves, a language after the other."""
    for number in range(pairs):
        language = options.languages[number % len(options.languages)]
        if not journal.has(FALSE_ALARMS, pair=number, language=language):
            found = _ab(Service(language), [], options)
            _tell(journal.add(FALSE_ALARMS, pair=number, language=language, **found))


def compare_slower(
    journal: Journal, options: ComparisonOptions, pairs: int, slower: float, rounds: dict[str, int]
) -> None:
    """`pairs` comparisons in each language; B is slower by `slower`, which takes `rounds`."""
    for number in range(pairs):
        for language in options.languages:
            where = {"pair": number, "language": language, "slower": slower}
            if journal.has(FOUND, **where):
                continue
            service, more = Service(language), rounds[language]
            commands = ["--command", service.command(0), "--command", service.command(more)]
            _tell(journal.add(FOUND, **where, rounds=more, **_ab(service, commands, options)))


def _ab(service: Service, arguments: Sequence[str], options: ComparisonOptions) -> dict[str, Any]:
    """What `webdyno ab` says. Raises `UserError` where it could not compare."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "webdyno", "ab", "--plain", "--budget", options.budget]
        command += ["--json", str(answer), *arguments]
        with neighbour(options.share), (Path(folder) / "log").open("w+") as log:
            process = subprocess.Popen(
                command, cwd=service.folder, env=environment(), stdout=log, stderr=log
            )
            began = time.monotonic()
            stopped_s = _wait(process)
            took_s = time.monotonic() - began
            log.seek(0)
            printed = log.read()
        if process.returncode not in (0, 1, 3) or not answer.exists():
            raise UserError(f"webdyno ab, {service.language}: {printed.strip()[-500:]}")
        answered = json.loads(answer.read_text())
    claims = [
        {key: claim[key] for key in _KEPT if claim.get(key) is not None}
        for claim in answered["claims"]
    ]
    return {
        "budget": options.budget,
        "neighbour": options.share,
        "said": word_of(answered["claims"], answered["outcome"]),
        "headline": answered["headline"],
        "claims": claims,
        "notes": answered["notes"],
        "run": answered["run"],
        "took_s": round(took_s, 1),
        "stopped_s": round(stopped_s, 1),
    }


_KEPT = ("load", "metric", "outcome", "change", "low", "high", "blocks", "resolves", "reason")


def word_of(claims: Sequence[dict[str, Any]], outcome: str) -> str:
    """An answer in a word: worse, better, same or open. An answer that says of anything that it
    became better is `better`, unless it says worse of another."""
    outcomes = {claim["outcome"] for claim in claims}
    if outcome == "worse" or "worse" in outcomes:
        return "worse"
    if "better" in outcomes:
        return "better"
    return "same" if outcome == "no worse" else "open"


def _wait(process: subprocess.Popen[Any]) -> float:
    """Wait for its end; gives the seconds for which somebody had stopped it."""
    stopped_s, last = 0.0, time.monotonic()
    try:
        while True:
            try:
                process.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                now = time.monotonic()
                # Its services are stopped by itself whenever it is not their turn.
                if now - last > STOPPED_FROM_S or _is_stopped(process.pid):
                    stopped_s += now - last
                last = now
            else:
                return stopped_s
    except BaseException:
        process.terminate()
        process.wait()
        raise


def _is_stopped(pid: int) -> bool:
    """Whether the comparison is stopped, whose warden has this `pid`."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        # Its first child makes the comparison; others may be orphans, frozen between their turns.
        both = [str(pid), *children[:1]]
        stats = [Path(f"/proc/{one}/stat").read_text() for one in both]
    except OSError:
        return False
    return any(stat.rpartition(") ")[2].startswith("T") for stat in stats)


def _tell(line: Line) -> None:
    print(f"{line['language']:7} {line['said']:7} {line['headline']}", flush=True)
