"""How long a comparison measures: what its builds have left of the budget."""

import contextlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from support.compared_run import SHOP, STARTED
from support.synthetic_trial import drawn_trial
from webdyno.ab import compare, findings
from webdyno.ab.compare import compare_running, measuring_budget_s
from webdyno.ab.findings import _log_of, _not_built, build_and_ask
from webdyno.ab.flags import Flags
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.version import Version
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.errors import UserError
from webdyno.run.preparation.servers import prepare
from webdyno.run.study.plan import Entry
from webdyno.runtime import disk
from webdyno.runtime.home import Home
from webdyno.store.records import EvidenceRecord, FlagRecord, Skipped
from webdyno.store.store import Store
from webdyno.store.trial import TrialRecord
from webdyno.store.unmeasured_cell import UnmeasuredKind
from webdyno.trial.assessment.of_the_lab import SERVICE_FAILED
from webdyno.trial.events import BuildStarted, Event, ServerSkipped


@pytest.mark.parametrize(
    ("budget_s", "spent_s", "left_s"),
    [(300.0, 12.4, 287.0), (300.0, 0.2, 299.0), (300.0, 200.0, 150.0), (1.0, 4.0, 1.0)],
)
def test_builds_are_part_of_the_budget(budget_s: float, spent_s: float, left_s: float) -> None:
    # Half of it at least is for measuring, however long they took.
    assert measuring_budget_s(budget_s, spent_s) == left_s


def shop(build: str, run: str = "./shop") -> Description:
    """A service that `build` builds and `run` starts."""
    return Description.model_validate(
        {
            "name": "shop",
            "requests": ["GET /"],
            "build": {"commands": [build]},
            "run": {"command": run},
        }
    )


def sound_trial() -> TrialRecord:
    """A trial of A that went well."""
    return drawn_trial(
        np.random.default_rng(1), SHOP, False, "requests", "full", 0, 0, STARTED, 2, 0
    )


def let_proofs_end(monkeypatch: pytest.MonkeyPatch, folder: Path, *trials: TrialRecord) -> None:
    """Versions count as built, in `folder`, and their proofs end as `trials`, one after another."""
    ends = iter(trials)
    ready = SimpleNamespace(build=SimpleNamespace(folder=folder))
    monkeypatch.setattr(findings, "prove", lambda *_given: next(ends))
    monkeypatch.setattr(
        findings,
        "prepare",
        lambda entries, *_, **__: ({entries[0].server_variant.server.build_id: ready}, []),
    )


@pytest.fixture
def unbuildable(tmp_path: Path) -> Pairing:
    description = shop("false")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/main.c").touch()
    versions = Version("a", ".", tmp_path / "shop"), Version("b", ".", tmp_path / "shop")
    return pairing(description, versions, Catalog(), tmp_path)


def test_nothing_is_checked_out_or_built_without_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_free_bytes", lambda _: 1e6)
    # Two versions that cannot be found: the room is looked for first.
    request, home = PairRequest(tmp_path, places=["main", "HEAD"]), Home(tmp_path / "home")
    told = pytest.raises(UserError, match=r"home: 1\.0 MB free, .*make room there")
    with contextlib.closing(Store.open(tmp_path / "runs.sqlite")) as store, told:
        compare.compare(request, home, store, lambda _: None, lambda _: None)


def test_a_build_that_both_share_fails_under_its_own_name(
    unbuildable: Pairing, tmp_path: Path
) -> None:
    pair = unbuildable
    entries = [Entry(pair.catalog.server_variant(one)) for one in pair.study.servers]
    _, (left_out,) = prepare(entries, tmp_path / "builds", lambda _event: None)
    assert left_out.server == "shop/a"
    assert left_out.reason.startswith("'false' exited with 1")


def test_a_build_that_fails_is_told_once(unbuildable: Pairing, tmp_path: Path) -> None:
    told: list[Event] = []
    with pytest.raises(UserError, match=r"A \(\.\) could not be built: 'false' exited with 1"):
        build_and_ask(unbuildable, Home(tmp_path), tmp_path, told.append)
    assert not [event for event in told if isinstance(event, ServerSkipped)]


@pytest.mark.parametrize(
    ("kind", "is_worse"),
    [("build-failed", True), ("toolchain-missing", False), ("packages-out-of-reach", False)],
)
def test_what_the_machine_lacks_is_not_held_against_b(
    kind: UnmeasuredKind, is_worse: bool, pair: Pairing
) -> None:
    left_out = Skipped(server="shop/b", reason="needs go >= 99; install it", kind=kind)
    a, b = pair.versions
    if is_worse:
        (broken,) = _not_built(b, left_out).broken
        assert (broken.letter, broken.says) == ("b", "could not be built")
    else:
        with pytest.raises(UserError, match=r"B \(HEAD .*\) could not be built: needs go >= 99;"):
            _not_built(b, left_out)
    with pytest.raises(UserError, match=r"A \(main .*\) could not be built: needs go >= 99; "):
        _not_built(a, left_out)


def test_what_a_build_lacks_here_is_not_held_against_b(pair: Pairing) -> None:
    said = "'make' exited with 2: fatal: not a git repository"
    left_out = Skipped(server="shop/b", reason=said, kind="build-failed")
    with pytest.raises(UserError, match=r"B \(HEAD .*\) could not be built: .* repository; let it"):
        _not_built(pair.versions[1], left_out, "; let its first command make one")


def test_a_build_without_a_repository_is_told_why(tmp_path: Path) -> None:
    description = shop("git describe --tags")
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "main.c").touch()
    versions = Version("a", "one", folder), Version("b", "two", folder)
    pair = pairing(description, versions, Catalog(), tmp_path)
    with pytest.raises(UserError, match=r"A \(one\) could not be built: .*git init -q && git -c"):
        build_and_ask(pair, Home(tmp_path / "home"), tmp_path / "temporary", lambda _event: None)


def test_a_port_that_another_program_has_is_not_held_against_b(
    pair: Pairing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sound_trial()
    said = "shop/b exited with 1 at start: listen tcp :9090: bind: address already in use"
    failed = sound.model_copy(update={"status": "error", "reason": said})
    let_proofs_end(monkeypatch, tmp_path, sound, failed)
    with pytest.raises(UserError, match=r"B \(HEAD .*\) fails .* already in use; another program"):
        build_and_ask(pair, Home(tmp_path), tmp_path, lambda _event: None)


def test_a_service_that_does_not_start_is_not_held_against_a_version(
    pair: Pairing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sound_trial()
    said = "postgresql exited during its start: FATAL: no space left on device"
    flag = FlagRecord(code=SERVICE_FAILED, message=said)
    failed = sound.model_copy(update={"status": "error", "reason": said, "flags": [flag]})
    let_proofs_end(monkeypatch, tmp_path, sound, failed)
    with pytest.raises(UserError, match=r"B \(HEAD .*\) could not be verified: postgresql exited"):
        build_and_ask(pair, Home(tmp_path), tmp_path, lambda _event: None)


def test_a_wrong_command_is_told_before_the_other_is_built(tmp_path: Path) -> None:
    description = shop("touch built", "sh -c 'exit 3'")
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "main.c").touch()
    versions = Version("a", "one", folders[0]), Version("b", "two", folders[1])
    pair = pairing(description, versions, Catalog(), tmp_path)
    told: list[Event] = []
    with pytest.raises(UserError, match=r"A \(one\) fails verification: .* exited with 3"):
        build_and_ask(pair, Home(tmp_path / "home"), tmp_path / "temporary", told.append)
    assert [event.server for event in told if isinstance(event, BuildStarted)] == ["shop/a"]


@pytest.mark.parametrize(("again", "raises"), [("ok", False), ("failed", True)])
def test_a_version_that_did_not_answer_in_time_is_asked_once_more(
    again: str, raises: bool, pair: Pairing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sound_trial()
    said = "GET /: no answer within 10.0 s"
    late = EvidenceRecord(claim="the server answers", ok=False, detail=said)
    failed = sound.model_copy(update={"status": "failed", "reason": said, "evidence": [late]})
    second = failed if again == "failed" else sound
    let_proofs_end(monkeypatch, tmp_path, failed, second, sound, sound)
    told: list[Event] = []
    if raises:
        with pytest.raises(UserError, match=r"A \(main .*\) fails verification: GET /: no answer"):
            build_and_ask(pair, Home(tmp_path), tmp_path, told.append)
    else:
        assert build_and_ask(pair, Home(tmp_path), tmp_path, told.append).broken == []
    assert f"A: {said}; it is asked once more" in [getattr(one, "text", "") for one in told]


def test_each_comparison_keeps_a_log_of_its_own(tmp_path: Path) -> None:
    silent = sound_trial()
    home = Home(tmp_path)
    assert _log_of("a", silent.model_copy(update={"log_tail": " \n"}), home) == ""
    told = [
        _log_of("b", silent.model_copy(update={"log_tail": said}), home) for said in ("one", "two")
    ]
    kept = [Path(text.removeprefix(" (its log: ").removesuffix(")")) for text in told]
    assert [path.read_text() for path in kept] == ["one\n", "two\n"]
    # The oldest go, and nothing that is not such a log.
    folder = kept[0].parent
    for number in range(60):
        (folder / f"20200101-{number:06d}-abcdef-ab-b.log").write_text("old")
    (folder / "20190101-mine.txt").write_text("mine")
    said = silent.model_copy(update={"log_tail": "three"})
    newest = Path(_log_of("a", said, home).removeprefix(" (its log: ").removesuffix(")"))
    left = sorted(folder.glob("*.log"))
    assert len(left) == findings.MOST_LOGS
    assert {newest, *kept} <= set(left)
    assert left[0].name.startswith("20200101-000013")
    assert (folder / "20190101-mine.txt").exists()
    # Of before the clock was set back.
    for number in range(60):
        (folder / f"20990101-{number:06d}-abcdef-ab-b.log").write_text("later")
    newest = Path(_log_of("a", said, home).removeprefix(" (its log: ").removesuffix(")"))
    assert newest.read_text() == "three\n"
    assert len(list(folder.glob("*.log"))) == findings.MOST_LOGS


def test_a_path_that_would_not_be_requested_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def running(url: str) -> ListeningService:
        return ListeningService(url, "localhost:8081", "127.0.0.1", 8081, "/items", None)

    monkeypatch.setattr(compare, "running", running)
    urls = ["http://localhost:8081/items"] * 2
    by_flag = PairRequest(tmp_path, urls=urls, flags=Flags(requests=["GET /a"]))
    told = "'GET /items' would not be requested, since {} names the requests; give URLs without a "
    by_another_method = replace(by_flag, flags=Flags(requests=["POST /items"]))
    for request in (by_flag, by_another_method):
        with pytest.raises(UserError, match=told.format("--request")):
            compare_running(request, Home(tmp_path / "home"), lambda _event: None)
    (tmp_path / "webdyno.toml").write_text('requests = ["GET /a"]\n')
    with pytest.raises(UserError, match=told.format("webdyno.toml")):
        compare_running(PairRequest(tmp_path, urls=urls), Home(tmp_path / "home"), lambda _: None)
    # A URL whose path is requested is compared.
    made = SimpleNamespace(run=lambda: "the answer", interrupted=False)
    monkeypatch.setattr(compare, "RunningComparison", lambda *_: made)
    both = PairRequest(tmp_path, urls=urls, flags=Flags(requests=["GET /a", "GET /items"]))
    (tmp_path / "webdyno.toml").write_text('requests = ["GET /items"]\n')
    for request in (both, PairRequest(tmp_path, urls=urls)):
        found = compare_running(request, Home(tmp_path / "home"), lambda _event: None)
        assert found.answer == "the answer"
