"""From a study to its trials: who competes, at what, and in which order."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import NamedTuple

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import ScenarioEntry
from webdyno.errors import UserError
from webdyno.store.cell import CellKey
from webdyno.store.records import Skipped, entry_label


@dataclass(frozen=True)
class Entry:
    """A competitor; `control` marks the second entry of the A/A pair."""

    server_variant: ServerVariant
    control: bool = False

    @property
    def label(self) -> str:
        """How verdicts name it."""
        return entry_label(self.server_variant.server.id, self.server_variant.variant, self.control)


@dataclass(frozen=True)
class Cell:
    """What the entries compete at: one scenario under one load."""

    scenario: Scenario
    parameters: ScenarioEntry
    load: Load

    @property
    def title(self) -> str:
        """How records and verdicts name its scenario: two entries of one have two titles."""
        return self.parameters.title

    @property
    def key(self) -> CellKey:
        """What records and plans know it by."""
        return self.title, self.load.label()


@dataclass(frozen=True)
class Matchup:
    """One entry at one cell: a trial of every block."""

    entry: Entry
    cell: Cell


class PlacedMatchup(NamedTuple):
    """A matchup at its place in the random order of a block, counted from 0."""

    place: int
    matchup: Matchup


@dataclass(frozen=True)
class DueTrial:
    """A trial that is still to be made: its index in the run, and its place in its block."""

    index: int
    place: int
    matchup: Matchup


def entries_of(study: StudyManifest, catalog: Catalog) -> tuple[list[Entry], list[Skipped]]:
    """The study's competitors. An unbuildable server is skipped with its manifest's reason."""
    entries: list[Entry] = []
    skipped: list[Skipped] = []
    for reference in study.servers:
        server_variant = catalog.server_variant(reference)
        manifest = server_variant.server.manifest
        if manifest.status == "unbuildable":
            skipped.append(
                Skipped(
                    server=server_variant.label,
                    reason=f"unbuildable: {manifest.reason}",
                    kind="unbuildable",
                )
            )
            continue
        entries.append(Entry(server_variant))
        if reference == study.control:
            entries.append(Entry(server_variant, control=True))
    return entries, skipped


def cells_of(study: StudyManifest, catalog: Catalog) -> list[Cell]:
    """Every scenario under every load of the study."""
    return [
        Cell(catalog.scenario(entry.name), entry, load)
        for entry in study.entries()
        for load in study.chosen_loads()
        if not entry.loads or load.label() in entry.loads
    ]


def matchups_of(entries: list[Entry], cells: list[Cell]) -> list[Matchup]:
    """Each entry at each cell whose scenario its server implements.

    Raises `UserError` where a cell has no competitor at all.
    """
    found = [
        Matchup(entry, cell)
        for cell in cells
        for entry in entries
        if cell.scenario.id in entry.server_variant.server.manifest.scenarios
    ]
    if not found:
        raise UserError("no server of the study can be run; `webdyno doctor` says what is missing")
    return found


def order_of_block(matchups: list[Matchup], run_id: str, block: int) -> list[Matchup]:
    """The block's random order: the same for the same run, so that a killed run can go on.

    The cells come in random order, and within each its entries: what is compared lies close in
    time, since a machine differs the less from itself the shorter the while (blocks as small as
    they can be: Fisher 1935, The Design of Experiments). A block that the budget cuts short has
    cells that are complete.

    What is done as published is done once, before the rest, in the study's own order.
    """
    as_published = [m for m in matchups if m.cell.load.method == "as-published"]
    sound = [m for m in matchups if m.cell.load.method == "sound"]
    draw = random.Random(seed_of(run_id, block))
    cells = [list(of_cell) for _, of_cell in groupby(sound, key=lambda matchup: matchup.cell)]
    draw.shuffle(cells)
    for of_cell in cells:
        draw.shuffle(of_cell)
    order = list(chain.from_iterable(cells))
    return as_published + order if block == 0 else order


def concurrent_groups(
    order: Sequence[PlacedMatchup], shared_starts: bool = False
) -> list[list[PlacedMatchup]]:
    """A block's trials, in groups that run at once: the trials of a cell whose load has slices take
    turns, and with `shared_starts` those of all such loads of a scenario; every other is alone."""
    groups: dict[object, list[PlacedMatchup]] = {}
    for placed in order:
        cell = placed.matchup.cell
        group = (cell.title, "") if shared_starts else cell.key
        groups.setdefault(group if cell.load.in_turns else placed.place, []).append(placed)
    return list(groups.values())


def by_entry(trials: Mapping[int, PlacedMatchup]) -> list[list[DueTrial]]:
    """`trials`, by their index: those of an entry together."""
    found: dict[str, list[DueTrial]] = {}
    for index, (place, matchup) in trials.items():
        found.setdefault(matchup.entry.label, []).append(DueTrial(index, place, matchup))
    return list(found.values())


def seed_of(run_id: str, *parts: int) -> int:
    """A seed that depends on the run and on a place in it, and on nothing else."""
    text = ":".join([run_id, *map(str, parts)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])
