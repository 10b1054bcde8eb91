"""One sitting at the board: piece after piece until all is settled or the budget is spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from webdyno.board.columns import study_for, with_another, with_piece
from webdyno.board.pieces import Piece, piece_of
from webdyno.board.schedule import FIRST_S_A_SERVER, LEAST_S, NextPiece, next_piece, unfinished
from webdyno.board.state import BoardColumn
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.report.numbers import counted
from webdyno.run.budget.budget import Budget
from webdyno.run.record.keeping import seconds_of
from webdyno.run.record.resume import to_resume
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.store.records import RunRecord

Announce = Callable[[str], None]


@dataclass
class Sitting:
    """What is measured with, and the board's `columns` as they are by now."""

    environment: RunEnvironment
    columns: list[BoardColumn]
    budget: Budget
    announce: Announce
    pieces: int = 0
    interrupted: bool = False
    _tried: set[tuple[str, str]] = field(default_factory=set)
    _again: set[tuple[str, str]] = field(default_factory=set)

    def measure(self) -> None:
        """Measure until everything is settled, the budget is spent, or the user interrupts.

        A piece of an earlier sitting that was interrupted, or had no time for blocks enough, and
        still holds, is finished first.
        """
        for piece in unfinished(self.columns):
            if self.interrupted:
                return
            if not self.budget.fits(LEAST_S):
                self.announce(
                    f"the budget is spent; next: {piece.scenario}: continuing {piece.run}"
                )
                return
            self._go_on(piece)
        while not self.interrupted:
            due = next_piece(self.columns, self._tried, self._again)
            if due is None:
                self.announce(self._why_nothing_is_left())
                return
            if not self.budget.fits(LEAST_S):
                self.announce(f"the budget is spent; next: {_piece_text(due)}")
                return
            self._measure_piece(due)

    def _go_on(self, piece: Piece) -> None:
        run = self.environment.store.run(piece.run)
        study = parse_manifest(run.study.as_stored(), StudyManifest, f"run {run.id}")
        # What is left of its own budget, or would be if it had not been cut, if this sitting has as
        # much.
        spent = seconds_of(run.trials)
        own = max(study.budget, FIRST_S_A_SERVER * len(study.servers)) - spent
        left = min(own, self.budget.left())
        study = study.model_copy(update={"budget": spent + max(left, LEAST_S)})
        try:
            run = to_resume(
                self.environment.store,
                study,
                run.id,
                self.environment.catalog,
                longer=piece.too_few,
            )
            self.announce(f"{piece.scenario}: continuing {run.id}")
            self._take_in(self._run(study, RunSettings(resume=run)))
        except UserError as error:
            self.announce(f"{piece.scenario}: cannot continue {piece.run}: {error}")

    def _measure_piece(self, due: NextPiece) -> None:
        self.announce(f"{_piece_text(due)} ({due.why})")
        study = study_for(self.environment.catalog, due.scenario, due.entries)
        few = {"max": due.blocks} if due.blocks is not None else {}
        study = study.model_copy(
            update={
                "budget": min(due.seconds, max(self.budget.left(), LEAST_S)),
                "confidence": due.confidence,
                "blocks": study.blocks.model_copy(update=few),
            }
        )
        scenario, reference = due.scenario, due.entries[0]
        column = self._column(scenario)
        try:
            run = self._run(
                study,
                RunSettings(grown=column.today.grown, required_entry=reference, board=scenario),
            )
        except UserError as error:
            self.announce(f"{scenario}: {', '.join(due.entries)} cannot be measured: {error}")
            self._tried |= {(scenario, entry) for entry in due.entries}
            return
        piece = self._take_in(run)
        if self.interrupted:
            return  # What was not measured until then is not known to be impossible.
        self._again |= {(scenario, entry) for entry in due.contradicting}
        # What could not be measured, though there was time, waits for the next sitting.
        made = set(piece.made) if piece is not None else set()
        no_time = run.plan.without_time if run.plan else set()
        if reference in made:
            missing = [one for one in due.entries if one not in made and one not in no_time]
        elif reference not in no_time and self._replaced(column, run):
            missing = self._unbuilt(run, due.entries)
        else:
            missing = list(due.entries)
            if reference in no_time:
                self.announce(
                    f"{scenario}: no time for {reference}, with which all others are compared"
                )
        self._tried |= {(scenario, entry) for entry in missing}

    def _replaced(self, column: BoardColumn, run: RunRecord) -> bool:
        """Whether `column` has another reference by now than the one that `run` has not."""
        unbuilt = self._unbuilt(run, column.entries)
        if self._column(column.scenario).reference == column.reference:
            tried = {entry for scenario, entry in self._tried if scenario == column.scenario}
            self.columns = [
                with_another(one, {*tried, *unbuilt}) if one.scenario == column.scenario else one
                for one in self.columns
            ]
        reference = self._column(column.scenario).reference
        if reference == column.reference:
            return False
        why = "built" if column.reference in unbuilt else "measured"
        self.announce(
            f"{column.scenario}: {column.reference} could not be {why}; the reference is "
            f"{reference}"
        )
        return True

    def _column(self, scenario: str) -> BoardColumn:
        (column,) = (one for one in self.columns if one.scenario == scenario)
        return column

    def _unbuilt(self, run: RunRecord, entries: Iterable[str]) -> list[str]:
        """Of `entries` those whose server `run` could not build."""
        skipped = {one.server for one in run.skipped}
        return [
            entry
            for entry in entries
            if self.environment.catalog.server_variant(entry).server.build_id in skipped
        ]

    def _why_nothing_is_left(self) -> str:
        if self._tried:
            entries = counted(len(self._tried), "cell")
            return f"nothing else can be measured now: {entries} failed (see above)"
        if self._again:
            return "everything is settled except where pieces contradict each other"
        return "everything is settled"

    def _run(self, study: StudyManifest, settings: RunSettings) -> RunRecord:
        run = run_study(study, self.environment, settings)
        self.pieces += 1
        self.interrupted = run.status == "interrupted"
        return run

    def _take_in(self, run: RunRecord) -> Piece | None:
        piece = piece_of(run)
        if piece is not None:
            self.columns = [
                with_piece(one, piece) if one.scenario == piece.scenario else one
                for one in self.columns
            ]
        return piece


def _piece_text(piece: NextPiece) -> str:
    return f"{piece.scenario}: {', '.join(piece.entries)}"
