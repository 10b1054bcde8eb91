"""The files that differ from a commit: committed since, changed or new in the working copy."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.git.checkout import (
    Commit,
    ambiguous,
    find_commit,
    is_shallow,
    is_working_copy,
    tracked,
)
from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.runtime.builds.git import git, is_installed


@dataclass(frozen=True)
class Changes:
    """What differs from `base` in the repository at `top`."""

    top: Path
    base: Commit
    reference: str
    """What the user called it."""
    files: tuple[Path, ...]
    """Absolute; some are gone."""
    cautions: tuple[str, ...] = ()
    """Why something else may differ than what the branch changed, a line each."""

    @property
    def name(self) -> str:
        """The reference and the commit that it led to."""
        short = self.base.short_hash
        return short if self.base.hash.startswith(self.reference) else f"{self.reference} ({short})"


def changes_since(folder: Path, reference: str) -> Changes:
    """What differs in the repository of `folder` from the commit at which its branch left
    `reference`: what `reference` became since is none of the branch's doing.

    Raises `UserError` where there is no git, no repository, or no such commit in it.
    """
    if not is_installed():
        raise UserError(f"--since {reference}: git is not installed; install it")
    named = find_commit(folder, reference)
    if named is None:
        raise _unknown(folder, reference)
    top = Path(_lines(["rev-parse", "--show-toplevel"], folder)[0])
    # Without a common ancestor here (a shallow clone), what was named is all there is.
    left_at = git(["merge-base", named.hash, "HEAD"], top).stdout.strip()
    base = find_commit(top, left_at or named.hash)
    assert base is not None
    files = tuple(sorted(_changed(top, base.hash)))
    told = (
        ambiguous(top, reference),
        "" if left_at else _not_left(reference, top),
        _is_here(top, reference, named) if not files else "",
    )
    return Changes(top, base, reference, files, tuple(filter(None, told)))


def _changed(tree: Path, base: str) -> Iterator[Path]:
    """The files of a work tree that differ from those of the commit `base`, those of submodules
    among them: of a submodule, git tells only that its commit changed."""
    new = _lines(["ls-files", "--others", "--exclude-standard", "-z"], tree, "\0")
    for name in {*_differing(tree, base), *filter(None, new)}:
        path = tree / name
        if (path / ".git").exists() and not path.is_symlink():
            held = _lines(["ls-tree", "-z", base, "--", name.rstrip("/")], tree, "\0")[0].split()
            then = held[2] if held[:1] == ["160000"] else ""
            if then and find_commit(path, then):
                yield from _changed(path, then)
            else:
                yield from (path / below for below in tracked(path) or ())
        else:
            yield path


def _differing(tree: Path, base: str) -> Iterator[str]:
    """The files that git tracks in a work tree and that differ from those of the commit `base`, by
    their paths below `tree`; of a submodule, the path of its folder."""
    # `git diff` locks the index and writes it anew, whatever GIT_OPTIONAL_LOCKS says; told not to,
    # it names files of which only the time changed. So it gets a copy, with the time of the index:
    # a file as new as that is compared by its content, as it may have changed at the same moment.
    index = tree / _lines(["rev-parse", "--git-path", "index"], tree)[0]
    arguments = [
        "diff", "--name-only", "--no-renames", "--no-ext-diff",
        # A submodule's own files are looked at, whatever a user's settings say of it.
        "--ignore-submodules=none", "-z", base, "--",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="webdyno-index-") as folder:
        copy = Path(folder) / "index"
        if index.is_file():
            shutil.copy2(index, copy)
        yield from filter(None, _lines(arguments, tree, "\0", {"GIT_INDEX_FILE": str(copy)}))


def _is_here(top: Path, reference: str, named: Commit) -> str:
    """That `reference` is what is checked out, so that nothing can have changed since."""
    here = find_commit(top, "HEAD")
    if here is None or here.hash != named.hash:
        return ""
    return f"{reference} is the commit that is checked out; to check that one, write {reference}~1"


def _unknown(folder: Path, reference: str) -> UserError:
    """That there is no such commit, with what to do about it."""
    where = folder.resolve()
    if not is_working_copy(folder):
        return UserError(
            f"--since {reference}: {where} is in no git repository; go to a folder that is in one"
        )
    remedy = "name a commit, branch or tag that is fetched, such as main or HEAD~1"
    if find_commit(folder, f"origin/{reference}"):
        remedy = f"write origin/{reference}, which it has"
    elif is_shallow(folder):
        remedy = "fetch more of it, since it is a shallow clone (in an action, fetch-depth: 0)"
    return UserError(f"--since {reference}: no such commit in the repository of {where}; {remedy}")


def _not_left(reference: str, top: Path) -> str:
    """That a branch has no commit in common with `reference`."""
    more = "; fetch more of this shallow clone's history" if is_shallow(top) else ""
    return (
        f"the commit where the branch left {reference} is not in this repository, so later changes "
        f"of {reference} count as the branch's{more}"
    )


def _lines(
    arguments: list[str], folder: Path, end: str = "\n", env: dict[str, str] | None = None
) -> list[str]:
    done = git(arguments, folder, env)
    if done.returncode:
        raise UserError(f"git in {folder}: {one_line(done.stderr)}; run it there to see more")
    return done.stdout.split(end)
