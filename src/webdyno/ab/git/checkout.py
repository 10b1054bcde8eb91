"""A commit as a work tree of its own, outside its repository, in which nothing is changed.

The tree is made through an index of its own, so that the repository knows nothing of it: whatever
ends the program, there is nothing in the repository to be removed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.git.submodules import objects_of, submodules_of
from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.runtime.builds.git import git, is_installed
from webdyno.runtime.disk import check_room

_REFUSED = ("dubious ownership", "unsafe repository")
"""How git, and git 2.35.2, say that a repository is another user's."""

_NO_LFS = r"\bgit-lfs\b.*\bnot found\b|\bgit: 'lfs' is not a git command\b"
"""How a shell, and git, say that Git LFS is not installed."""

_STEP = r"([~^])(?!\{)(\d*)"
"""Of a reference, a step back: over that many commits, or to that parent of one."""


_APART = tuple(
    word
    for setting in (
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.splitIndex=false",
        "submodule.recurse=false",
    )
    for word in ("-c", setting)
)
"""Without these settings of a user's, git would write to the repository, too: a part of the index,
or, for each submodule, that its work tree is the one made here."""


@dataclass(frozen=True)
class Commit:
    """A commit of a repository, and the folder in it that one stands in."""

    repository: Path
    """The `.git` folder."""
    hash: str
    subfolder: str
    """The folder that was stood in, below the top; empty at the top."""

    @property
    def short_hash(self) -> str:
        """The beginning of its hash."""
        return self.hash[:10]


def find_commit(folder: Path, reference: str) -> Commit | None:
    """The commit that `reference` names in the repository of `folder`; None where there is none.

    Raises `UserError` where git refuses the repository because another user owns it.
    """
    if reference.startswith("-") or not _in_repository(folder):
        return None
    if not (commit_hash := _hash_of(folder, reference)):
        return None
    where = _output_of(git(["rev-parse", "--absolute-git-dir"], folder), folder)
    below = _output_of(git(["rev-parse", "--show-prefix"], folder), folder)
    return Commit(Path(where), commit_hash, below.rstrip("/"))


def _hash_of(folder: Path, reference: str) -> str:
    """The commit that a reference names; empty where it names none."""
    arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}"]
    completed = git(arguments, folder)
    return "" if completed.returncode else completed.stdout.strip()


def names_of(folder: Path, reference: str) -> dict[str, str]:
    """The full names that a reference may stand for, each with its commit, in the order in which
    git looks: a tag, a branch, a branch of a remote."""
    kinds = ("refs/tags", "refs/heads", "refs/remotes")
    commits = {name: _hash_of(folder, name) for name in (f"{kind}/{reference}" for kind in kinds)}
    return {name: commit for name, commit in commits.items() if commit}


def ambiguous(folder: Path, reference: str) -> str:
    """That a reference is both a tag and a branch, which differ, with the remedy; empty where it is
    not."""
    plain = _base_of(reference)
    commits = names_of(folder, plain)
    taken, *others = commits or [""]
    other = next((one for one in others if commits[one] != commits[taken]), "")
    if not other:
        return ""
    return f"{plain} is taken as {taken}, as git does; write {other} if you mean that"


def _base_of(reference: str) -> str:
    """What a reference begins with: of `main~1`, `main`; HEAD where it names nothing."""
    return re.split(r"[~^:]|@\{", reference)[0] or "HEAD"


def _generations(reference: str) -> int:
    """How far back from its base a reference leads: of `main~2^`, 3; 0 where that is not told."""
    if "@{" in reference or ":" in reference:
        return 0
    steps = [(sign, int(number or 1)) for sign, number in re.findall(_STEP, reference)]
    return sum(number if sign == "~" else min(number, 1) for sign, number in steps)


def _fetching(name: str) -> str:
    """What fetches a branch, a tag or a commit by its name and nothing else."""
    branch = name.removeprefix("origin/")
    if branch != name:
        return f"git fetch --depth 1 origin {branch}:refs/remotes/{name}"
    if re.fullmatch(r"[0-9a-f]{7,39}", name):
        return "git fetch --unshallow"  # A remote takes whole hashes alone.
    is_hash = re.fullmatch(r"[0-9a-f]{40,64}", name) is not None
    return f"git fetch --depth 1 origin {name}" + ("" if is_hash else f":{name}")


def check_out(commit: Commit, into: Path) -> Path:
    """Write the files of `commit` below `into`, and of its submodules as far as the repository has
    them; gives the folder that one stands in there.

    Raises `UserError` where git cannot, where the disk is full, and where the commit has no such
    folder.
    """
    into.mkdir(parents=True)
    _write(commit.repository, commit.hash, into, into.with_name(f"{into.name}.index"))
    folder = into / commit.subfolder
    if not folder.is_dir():
        raise UserError(
            f"commit {commit.short_hash} has no folder '{commit.subfolder}'; if it was renamed, "
            "check the commit out (`git worktree add FOLDER COMMIT`) and compare two folders"
        )
    return folder


def _write(repository: Path, commit: str, tree: Path, index: Path) -> None:
    environment = {
        "GIT_DIR": str(repository),
        "GIT_WORK_TREE": str(tree),
        "GIT_INDEX_FILE": str(index),
    }
    completed = git([*_APART, "read-tree", "--reset", "-u", commit], tree, environment)
    if completed.returncode:
        check_room([tree])  # Of a full disk, git says only that it cannot write a file.
        if re.search(_NO_LFS, completed.stderr):
            raise UserError(
                f"git cannot check out {commit[:10]}: this repository uses Git LFS, which is not "
                "installed; install git-lfs, then run `git lfs fetch --all`"
            )
        # Such as Git LFS, which cannot reach the files that it keeps elsewhere.
        filtered = "filter" in completed.stderr
        remedy = "fetch what it needs (`git lfs fetch --all`)" if filtered else "run `git fsck`"
        raise UserError(
            f"git cannot check out {commit[:10]}: {one_line(completed.stderr)}; {remedy}"
        )
    for place, one in enumerate(submodules_of(repository, commit, tree)):
        if objects := objects_of(repository, one):
            within = tree / one.path
            within.mkdir(parents=True, exist_ok=True)
            _write(objects, one.hash, within, index.with_name(f"{index.name}-{place}"))


def why_no_commit(folder: Path, reference: str) -> str:
    """Why `find_commit` finds none, in a sentence's end; with what to do about it."""
    if not is_installed():
        return "a commit, as git is not installed; install it, or give two folders"
    if not _in_repository(folder):
        return "a commit, as this folder is in no git repository; give two folders"
    if not find_commit(folder, "HEAD"):
        return "a commit: this git repository has none yet; commit first"
    if find_commit(folder, f"origin/{reference}"):
        # A clone has the branches that nobody checked out there under this name alone.
        return f"a commit of this git repository; write origin/{reference}, which it has"
    if is_shallow(folder):
        base = _base_of(reference)
        if not find_commit(folder, base):
            # A clone of one commit has no other branch, however much of its history is fetched.
            is_local = re.fullmatch(r"origin/.+|[0-9a-f]{7,64}", base) is None
            # What a checkout action fetches are the branches of the remote.
            named = f", which fetches a branch as origin/{base}" if is_local else ""
            how = f"fetch {base} as well ({_fetching(base)}; in an action, fetch-depth: 0{named})"
        elif more := _generations(reference):
            how = (
                f"fetch more of its history (git fetch --deepen {more}; in an action, "
                f"fetch-depth: {more + 1})"
            )
        else:
            how = "check the name"
        return f"a commit of this git repository, which is a shallow clone; {how}"
    return "a commit of this git repository; fetch it, or check the name"


def is_shallow(folder: Path) -> bool:
    """Whether the repository of a folder lacks the beginning of its history."""
    return git(["rev-parse", "--is-shallow-repository"], folder).stdout.strip() == "true"


def tracked(folder: Path) -> tuple[str, ...] | None:
    """The files of a folder that git tracks or would, those of submodules among them: all but
    those it is told to ignore. None where the folder is in no repository, or ignored itself."""
    if not _in_repository(folder):
        return None
    listed = git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], folder)
    if listed.returncode:
        return None
    names = {name for name in listed.stdout.split("\0") if name}
    # What was removed but not committed is listed, and so are the folders of submodules.
    present = [name for name in names if (path := folder / name).is_symlink() or path.is_file()]
    for name in names.difference(present):
        if not name.endswith("/") and (folder / name / ".git").exists():
            present += [f"{name}/{below}" for below in tracked(folder / name) or ()]
    return tuple(sorted(present)) or None


def uncommitted(folder: Path) -> tuple[str, ...]:
    """The files below a folder that git tracks and that differ from those of its last commit."""
    # Not `git diff`, which locks the index and writes it anew, whatever optional locks are.
    listing = ["--porcelain", "-z", "--untracked-files=no", "--no-renames"]
    completed = git(["status", *listing, "--", "."], folder)
    if completed.returncode:
        return ()
    below = _output_of(git(["rev-parse", "--show-prefix"], folder), folder)
    return tuple(line[3:].removeprefix(below) for line in completed.stdout.split("\0") if line)


def is_working_copy(folder: Path) -> bool:
    """Whether a folder is in a repository, of whomever it is."""
    try:
        return _in_repository(folder)
    except UserError:
        return True


def likely_base(folder: Path) -> str:
    """What a change in the repository of `folder` is likely to be compared with: its main branch,
    or the commit before on that branch itself; `main` where no repository says otherwise."""
    try:
        remote_head = git(
            ["symbolic-ref", "--short", "refs/remotes/origin/HEAD"], folder
        ).stdout.strip()
        here = git(["branch", "--show-current"], folder).stdout.strip()
        # A clone that a build server made may have no branch but the remote's.
        names = (
            remote_head.removeprefix("origin/"), "main", "master", remote_head, "origin/main",
            "origin/master", "HEAD~1",
        )  # fmt: skip
        base = next((name for name in names if name and find_commit(folder, name)), "main")
        is_on_it = base == here and find_commit(folder, "HEAD~1") is not None
    except (FileNotFoundError, UserError):
        return "main"
    return "HEAD~1" if is_on_it else base


def top_of(folder: Path) -> Path:
    """The top of the working copy that a folder is in; itself where it is in none."""
    try:
        completed = git(["rev-parse", "--show-toplevel"], folder)
    except FileNotFoundError:
        return folder
    return folder if completed.returncode else Path(completed.stdout.rstrip("\n"))


def _in_repository(folder: Path) -> bool:
    try:
        completed = git(["rev-parse", "--git-dir"], folder)
    except FileNotFoundError:
        return False
    if any(words in completed.stderr for words in _REFUSED):
        # Usual in containers: not to be told as a folder without a repository.
        # git names what is to be allowed: the top of the repository, or its `.git`.
        named = re.search("'(.+)'", completed.stderr)
        place = named.group(1) if named else str(folder.resolve())
        raise UserError(
            f"git refuses the repository {place}, which another user owns; allow it: "
            f"git config --global --add safe.directory {shlex.quote(place)}"
        )
    return completed.returncode == 0


def _output_of(completed: subprocess.CompletedProcess[str], folder: Path) -> str:
    if completed.returncode:
        raise UserError(f"git in {folder}: {one_line(completed.stderr)}; run it there to see more")
    return completed.stdout.removesuffix("\n")  # A name may begin or end with spaces.
