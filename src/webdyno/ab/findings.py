"""What is found before anything is measured: both versions are built, and asked the same."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from webdyno.ab.conclusion.answer_differences import AnswersCompared, compare_answers
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.recognise.missing.build_remedy import remedy_of_build
from webdyno.ab.recognise.missing.uncopied_variables import uncopied_variables
from webdyno.ab.study.pairing import Pairing
from webdyno.ab.study.port_conflicts import remedy_of_conflict
from webdyno.ab.study.proof import NAME
from webdyno.ab.study.starting import remedy_of_lack, remedy_of_start
from webdyno.ab.study.statuses import remedy_under_load
from webdyno.ab.versions.identical import identical_versions
from webdyno.ab.versions.package_differences import other_package_differences, unchanged_dependency
from webdyno.ab.versions.version import Version
from webdyno.errors import UserError
from webdyno.run.preparation.servers import ReadyServer, prepare
from webdyno.run.study.plan import Entry
from webdyno.run.verify import faults_of, prove
from webdyno.runtime.home import Home
from webdyno.runtime.services.registry import SERVICES
from webdyno.store.records import Skipped, TrialRecord, now
from webdyno.trial.assessment.of_the_lab import is_of_the_lab
from webdyno.trial.assessment.unanswered import is_unanswered
from webdyno.trial.events import Listener, Noted

MOST_LOGS = 50
"""Of versions that failed, so many ends of logs are kept: 20 lines each."""


@dataclass(frozen=True)
class PairFindings:
    """What building and asking both versions showed, before anything was measured."""

    broken: list[BrokenVersion] = field(default_factory=list)
    compared: AnswersCompared = field(default_factory=lambda: AnswersCompared(0))
    differences: list[str] = field(default_factory=list)
    """Where the versions, or the dependency that was to differ, do not, and what else does; a
    sentence each."""
    again: list[str] = field(default_factory=list)
    """Which version was asked once more, and why; a sentence each."""


def build_and_ask(
    pair: Pairing, home: Home, temporary: Path, listener: Listener, cwd: Path | None = None
) -> PairFindings:
    """Build both versions, and ask both the same questions; `cwd` is the folder that one stands in.

    A is asked before B is built: a wrong command or port is mostly wrong in both.
    """
    entries = [Entry(pair.catalog.server_variant(reference)) for reference in pair.study.servers]
    listener(Noted(text="building both versions, unless their builds are kept"))
    built: dict[str, ReadyServer] = {}
    trials: list[TrialRecord] = []
    again: list[str] = []
    # A once more at the end: what then differs from its first answers changes by itself.
    for version, entry in zip(
        (*pair.versions, pair.versions[0]), (*entries, entries[0]), strict=True
    ):
        id_ = entry.server_variant.server.build_id
        if id_ not in built:
            ready, left_out = prepare([entry], home.builds, listener, tell=False)
            built |= ready
            if left_out:
                sound = [other.build.log for other in built.values()]
                remedy = _remedy_of_build(left_out[0], version, entry, cwd, sound)
                return _not_built(version, left_out[0], remedy)
        work = pair.catalog.scenario(NAME)
        trial = prove(entry.server_variant, work, built[id_], temporary)
        if is_unanswered(trial):
            fault = f"{version.letter.upper()}: {trial.reason}"
            listener(Noted(text=f"{fault}; it is asked once more"))
            again.append(f"{fault}; it was asked once more and answered")
            trial = prove(entry.server_variant, work, built[id_], temporary)
        if trial.status != "ok" and (faults := list(faults_of(trial))):
            port_remedy = remedy_of_conflict(faults[0])
            why = faults[0] + (
                port_remedy
                or remedy_under_load(faults[0])
                + remedy_of_start(faults[0], pair.description.services)
                + _not_copied(version, entry, cwd, pair.description.services)
                or remedy_of_lack(faults[0])
            )
            why += _log_of(version.letter, trial, home)
            if is_of_the_lab(trial):
                letter = version.letter.upper()
                raise UserError(
                    f"{letter} ({version.name}) could not be verified: {why}; the fault lies with "
                    "this machine, not with the version"
                )
            return _broken(version, why, "verification", is_of_b=not port_remedy)
        trials.append(trial)
    of_a, of_b, of_a_again = (trial.asked for trial in trials)
    compared = compare_answers(
        of_a, of_a_again, of_b, pair.description.answers, len(pair.description.requests)
    )
    builds = [built[entry.server_variant.server.build_id].build for entry in entries]
    a, b = (build.folder for build in builds)
    broken = [BrokenVersion("b", compared.fault)] if compared.fault else []
    servers = [entry.server_variant.server for entry in entries]
    differences = (
        unchanged_dependency(pair.versions, (a, b)),
        other_package_differences(pair.versions, (a, b)),
        identical_versions(pair.versions, servers, builds),
    )
    return PairFindings(broken, compared, [line for line in differences if line], again)


def _not_built(version: Version, left_out: Skipped, remedy: str = "") -> PairFindings:
    """What was seen of a B that cannot be built; `remedy` is what helps where it lacked something
    here. Raises `UserError` where A cannot, or where that is for what the machine, or a build of
    ab, lacks, which says nothing of B."""
    is_of_b = left_out.kind not in ("toolchain-missing", "packages-out-of-reach") and not remedy
    return _broken(version, f"{left_out.reason}{remedy}", "build", is_of_b)


def _remedy_of_build(
    left_out: Skipped, version: Version, entry: Entry, cwd: Path | None, good_logs: Sequence[Path]
) -> str:
    """What helps a build that failed since it has neither your environment nor a repository; empty
    where `good_logs`, those of builds that worked, show that it needs neither."""
    server = entry.server_variant.server
    env, folder = server.manifest.build.env, _own_folder(version, cwd)
    return remedy_of_build(left_out.reason, folder, server.source, env, good_logs)


def _not_copied(version: Version, entry: Entry, cwd: Path | None, services: Collection[str]) -> str:
    """Which variables the version may lack since git ignores the file that sets them, less those
    that it gets from its `services`."""
    server = entry.server_variant.server
    service_variables = [name for one in services for name in SERVICES[one].variables.values()]
    known = {*server.manifest.run.env, *service_variables}
    return uncopied_variables(_own_folder(version, cwd), server.source, known)


def _own_folder(version: Version, cwd: Path | None) -> Path:
    """Where files are that git ignores: of a commit, those in the folder `cwd` that one stands
    in."""
    return cwd if version.commit and cwd is not None else version.folder


def _broken(
    version: Version, reason: str, at: Literal["build", "verification"], is_of_b: bool = True
) -> PairFindings:
    """What was seen of a B that does not do its work. Raises `UserError` where A does not, or where
    what is wrong is not B's."""
    broken = BrokenVersion(version.letter, reason, at)
    if version.letter == "a" or not is_of_b:
        letter = version.letter.upper()
        raise UserError(f"{letter} ({version.name}) {broken.says}: {reason}")
    return PairFindings([broken])


def _log_of(letter: str, trial: TrialRecord, home: Home) -> str:
    """Where the end of its log is kept, which may say more than one line of it; empty where it
    wrote none. Each comparison has a file of its own; the oldest beyond `MOST_LOGS` go."""
    if not trial.log_tail.strip():
        return ""
    folder = home.root / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}-ab-{letter}.log"
    path.write_text(f"{trial.log_tail}\n", encoding="utf-8")
    # This one stays, whatever the clock says: the message names it.
    others = sorted(one for one in folder.glob("*-ab-?.log") if one != path)
    for old in others[: 1 - MOST_LOGS]:
        old.unlink(missing_ok=True)
    return f" (its log: {path})"
