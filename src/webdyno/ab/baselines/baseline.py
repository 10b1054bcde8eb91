"""The servers of an older run once more: their sources from git, or from a build that is kept.

What is found is what ran then, shown by the digest that each trial's record holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from webdyno.ab.git.checkout import Commit, check_out, find_commit, is_shallow, is_working_copy
from webdyno.catalog.catalog import ServerVariant
from webdyno.catalog.reading.manifest import read_manifest
from webdyno.catalog.servers.language import read_language
from webdyno.catalog.servers.server import Server
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.errors import UserError
from webdyno.run.preparation.sources import has_digest
from webdyno.runtime.builds.build import cache_name, kept_sources
from webdyno.store.records import RunRecord, TrialRecord

_SUFFIX = "-baseline"


@dataclass(frozen=True)
class Baseline:
    """A server as it was in the older run; `origin` is where its sources were found."""

    server: Server
    origin: str


@dataclass
class BaselineFinder:
    """Looks for the servers of `before`; commits are checked out below `into`, each once."""

    before: RunRecord
    builds: Path
    into: Path
    _trees: dict[Commit, Path | None] = field(default_factory=dict)

    def find(self, today: ServerVariant) -> Baseline | str:
        """The server of `today` as `before` measured it, or why it cannot be had."""
        mine = [t for t in self.before.trials if t.entry == today.label and not t.control]
        trial = next((trial for trial in reversed(mine) if trial.sources.get("server")), None)
        if trial is None:
            return f"run {self.before.id} does not record its source"
        digest = trial.sources["server"]
        if has_digest(today.server, today.variant, digest):
            return Baseline(today.server, "its source is the same")
        commit, modified = self._revision(today.label)
        server = self._of_commit(today, commit)
        if server is not None and _is(server, today.variant, digest):
            return Baseline(server, f"from commit {commit[:10]}")
        server = self._of_build(today, trial)
        if server is not None and _is(server, today.variant, digest):
            return Baseline(server, "from the build that was kept")
        where = _why_not_in_git(today.server.folder, commit, modified)
        return f"its source is gone ({where}), and so is its build"

    def _revision(self, label: str) -> tuple[str, bool]:
        stated = next((one for one in self.before.servers if one.entry == label), None)
        return (stated.commit, stated.modified) if stated else ("", False)

    def _of_commit(self, today: ServerVariant, commit: str) -> Server | None:
        try:
            found_commit = find_commit(today.server.folder, commit) if commit else None
        except UserError:  # A repository that git refuses: the build may still be kept.
            found_commit = None
        folder = self._tree(found_commit) if found_commit else None
        if folder is None or not (folder / "server.toml").is_file():
            return None
        language_file = folder.parent / "language.toml"
        language = (
            read_language(language_file) if language_file.is_file() else today.server.language
        )
        return _server(folder, today.server).model_copy(
            update={"commit": commit, "language": language}
        )

    def _tree(self, commit: Commit) -> Path | None:
        if commit not in self._trees:
            # Each folder of a commit has a tree of its own: there are few.
            try:
                tree = check_out(commit, self.into / f"{commit.short_hash}-{len(self._trees)}")
            except UserError:
                tree = None
            self._trees[commit] = tree
        return self._trees[commit]

    def _of_build(self, today: ServerVariant, trial: TrialRecord) -> Server | None:
        kept = kept_sources(today.server, self.builds, trial.build.digest)
        if kept is None:
            return None
        folder, names = kept
        if not (folder / "server.toml").is_file():
            return None
        return _server(folder, today.server).model_copy(update={"source": names})


def _why_not_in_git(folder: Path, commit: str, modified: bool) -> str:
    """Why the repository of `folder` does not have what was measured of `commit`, with the remedy
    where there is one."""
    if not commit:
        return "no commit was recorded"
    named = f"commit {commit[:10]}"
    if modified:
        return f"{named}, with changes that were not committed, does not have it"
    try:
        here = find_commit(folder, commit) is not None
    except UserError as error:
        return f"{named}: {error}"
    if here:
        return f"{named} does not have it"
    if not is_working_copy(folder):
        return f"{named} of a repository that this folder is not in"
    deep = "; in an action, fetch-depth: 0" if is_shallow(folder) else ""
    return f"{named} is not in this clone; fetch it: git fetch origin {commit}{deep}"


def _server(folder: Path, today: Server) -> Server:
    """The server in `folder`, which need not be called as the catalog would have it."""
    manifest = read_manifest(folder / "server.toml", ServerManifest)
    return today.model_copy(
        update={
            "manifest": manifest, "folder": folder, "source": None, "commit": "",
            "runtimes": today.runtimes or today.folder.parent / "runtimes",
        }
    )  # fmt: skip


def _is(server: Server, variant: str, digest: str) -> bool:
    return server.has(variant) and has_digest(server, variant, digest)


def under_own_name(server: Server, today: Server) -> Server:
    """`server` under a name of its own, so that both can take part in one run; its builds are kept
    with those of `today`."""
    return server.model_copy(
        update={
            "manifest": server.manifest.model_copy(
                update={"name": f"{today.manifest.name}{_SUFFIX}", "status": "ok"}
            ),
            "build_name": today.id if server is today else "",
            "cached_as": cache_name(today),
        }
    )


def baseline_label(reference: str) -> str:
    """What the baseline of `language/name[@variant]` is called in a run of both."""
    id_, at, variant = reference.partition("@")
    return f"{id_}{_SUFFIX}{at}{variant}"
