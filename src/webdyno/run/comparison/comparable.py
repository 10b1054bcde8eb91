"""Whether two trials, of two runs, are of the same thing: a reason in one line where not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from webdyno.catalog.loads.load import Load
from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.stored_study import StoredStudy

_LOAD: TypeAdapter[Load] = TypeAdapter(Load)

ACROSS = {
    "machines": "another machine, kernel or core limit",
    "versions": "another toolchain, framework or Webdyno",
    "work": "another scenario, parameters, load or placement",
    "source": "another source of the server itself",
}
"""Kinds of difference that forbid a comparison unless they are named."""

_AS_ASKED = "as the study says"
"""What a load is that was not fitted to the machine or the budget."""

_TELLING = (
    "cpu_model", "cores", "memory_bytes", "kernel", "os", "virtualised", "governor", "limit_cpus",
)  # fmt: skip


class Likeness(NamedTuple):
    """`refusal` is empty where the two may be compared; `note` says what differs all the same."""

    refusal: str
    note: str


def likeness(
    runs: tuple[RunRecord, RunRecord],
    scenario: str,
    load: str,
    trials: tuple[Sequence[TrialRecord], Sequence[TrialRecord]],
    across: Collection[str] = (),
) -> Likeness:
    """Whether `trials` of an entry in two runs may be compared, the older's first: on one machine,
    the same work, by the same programs, but for what `across` names.

    Where one run has none of them, the programs are not asked after.
    """
    machines = unlike_machines(*runs)
    turns = (_turns_of(*one, load) for one in zip(runs, trials, strict=True))
    work = [*_unlike_work(*runs, scenario, load), *_unlike_turns(*turns)]
    differs = [("machines", machines)] if machines else []
    differs += [("work", reason) for reason in work]
    differs += _unlike_programs(runs, *trials) if all(trials) else []
    refused = next(((kind, reason) for kind, reason in differs if kind not in across), None)
    note = ", ".join(reason for _, reason in differs)
    if refused is None:
        return Likeness("", note)
    kind, reason = refused
    words = f"other versions ({reason})" if kind == "versions" else reason
    return Likeness(f"{words}; --across {kind}", note)


def unlike_machines(old: RunRecord, new: RunRecord) -> str:
    """Empty for runs of one machine."""
    if old.machine.fingerprint == new.machine.fingerprint:
        return ""
    differs = _differences(old.machine.as_stored(), new.machine.as_stored(), _TELLING)
    return f"other machine ({differs or 'its fingerprint differs'})"


def _unlike_work(old: RunRecord, new: RunRecord, scenario: str, load: str) -> Iterator[str]:
    """How the studies' meanings of scenario and load differ."""
    then, today = (_scenario(run.study, scenario) for run in (old, new))
    if then != today:
        yield f"other parameters ({_differences(then, today)})"
    then, today = (_load(run, load) for run in (old, new))
    if then != today:
        yield f"another load ({_differences(then, today)})"
    made_then, made_today = (_fitted_text(run, scenario, load) for run in (old, new))
    if made_then != made_today:
        yield f"other rates or lengths ({made_then or _AS_ASKED} → {made_today or _AS_ASKED})"
    if old.limits != new.limits:
        yield f"other limits ({old.limits or 'none'} → {new.limits or 'none'})"
    then_on, today_on = (_placement(run, scenario, load) for run in (old, new))
    if then_on != today_on:
        yield f"other placement ({then_on} → {today_on})"


def _placement(run: RunRecord, scenario: str, load: str) -> str:
    """That of the run, or what the cell had in the end where its generator was the limit."""
    found = [one.placement for one in run.grown if one.cell == (scenario, load)]
    return found[-1] if found else run.placement


def _unlike_turns(earlier: set[float], today: set[float]) -> list[str]:
    """How the turns that servers took differ: what was asked for is not always what was done."""
    if earlier == today:
        return []
    return [
        f"measured {_in_turns(earlier)} → {_in_turns(today)}, and such figures differ by a few "
        "percent"
    ]


def _turns_of(run: RunRecord, trials: Sequence[TrialRecord], load: str) -> set[float]:
    """Lengths of the turns that were taken, 0 in one piece; as asked for in records that do not
    tell, or have no trials."""
    known = [trial.setup for trial in trials if trial.setup and trial.measurement]
    if known:
        return {setup.turn_s or 0.0 for setup in known}
    stated = next((held for held in _loads(run) if held.label() == load), None)
    return {getattr(stated, "slice", None) or 0.0}


def _in_turns(lengths: set[float]) -> str:
    made = (f"in turns of {one:g} s" if one else "in one piece" for one in sorted(lengths))
    return " or ".join(made)


def _unlike_programs(
    runs: tuple[RunRecord, RunRecord],
    before: Sequence[TrialRecord],
    after: Sequence[TrialRecord],
) -> list[tuple[str, str]]:
    """What differs in the programs that ran, each with its kind: sources and versions, as the
    trials themselves noted them."""
    old, new = before[-1], after[-1]
    ours = [{"webdyno": run.versions.get("webdyno", "none")} for run in runs]
    versions = _differences(
        {**ours[0], **_comparable_versions(old, new)}, {**ours[1], **_comparable_versions(new, old)}
    )
    differences = (
        ("work", "the scenario's source differs" if _differs(old, new, "scenario") else ""),
        ("source", "its source changed" if _differs(old, new, "server") else ""),
        ("versions", versions),
    )
    return [(kind, said) for kind, said in differences if said]


def _comparable_versions(one: TrialRecord, other: TrialRecord) -> dict[str, str]:
    """The versions of `one`; without those of extensions, such as `ruby: puma`, where `other` is a
    record of before they were noted."""
    return {
        name: version
        for name, version in one.versions.items()
        if ": " not in name or name in other.versions
    }


def _differs(old: TrialRecord, new: TrialRecord, which: str) -> bool:
    """Only where both runs noted it: older ones did not."""
    then, today = old.sources.get(which), new.sources.get(which)
    return then is not None and today is not None and then != today


def _differences(
    earlier: Mapping[str, Any], today: Mapping[str, Any], keys: Collection[str] | None = None
) -> str:
    """What differs, as it is shown: parameters of an exported run are anyone's text."""
    names = keys if keys is not None else dict.fromkeys([*earlier, *today])
    return ", ".join(
        one_line(f"{name} {earlier.get(name, 'none')} → {today.get(name, 'none')}")
        for name in names
        if earlier.get(name) != today.get(name)
    )


def _scenario(study: StoredStudy, title: str) -> dict[str, Any]:
    entry = next((entry for entry in study.scenarios if entry.title == title), None)
    return {"scenario": entry.name, **entry.parameters} if entry else {}


def _fitted_text(run: RunRecord, scenario: str, load: str) -> str:
    """How a load was fitted to machine and budget; empty where it was made as it stands."""
    found = [s for s in run.fitted_loads or [] if s.cell == (scenario, load)]
    if run.plan and load in run.plan.lengths_s:
        return f"{run.plan.lengths_s[load]:g}s"
    return ", ".join(found[0].given) if found else ""


def _load(run: RunRecord, label: str) -> dict[str, Any]:
    for load in _loads(run):
        if load.label() == label:
            # Left out, it was one thread in runs of before it could be: placements tell the rest.
            # Whether there were turns, trials tell.
            return {**load.model_dump(exclude={"name", "slice"}), "threads": load.threads or 1}
    return {}


def _loads(run: RunRecord) -> list[Load]:
    """The loads of its study. Raises `UserError` where this version cannot read one of them, as
    in a file that was damaged."""
    try:
        return [_LOAD.validate_python(held) for held in run.study.as_stored()["loads"]]
    except (ValidationError, KeyError, TypeError):
        raise UserError(
            f"run {run.id}: the loads of its study cannot be read; export or measure it again"
        ) from None
