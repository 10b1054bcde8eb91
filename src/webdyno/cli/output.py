"""Files that a command was asked to write: looked at before the work, written after it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO, cast

from webdyno.cli.failures import give_to_nobody
from webdyno.errors import UserError


def check_writable(*paths: Path | None) -> None:
    """Refuse now what would fail only after minutes of measuring, and a file that two outputs
    share, of which the last would stay. Raises `UserError`."""
    asked = [path for path in paths if path is not None]
    for place, path in enumerate(asked):
        _check_one(path)
        is_file = path.is_file() or not path.exists()
        if is_file and path.resolve() in [other.resolve() for other in asked[:place]]:
            raise UserError(f"{path}: named for two outputs; give each a file of its own")


def _check_one(path: Path) -> None:
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UserError(f"{path}: its folder does not exist; create it first")
    try:
        _try_to_write(path)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}); name another file"
        ) from None


def _try_to_write(path: Path) -> None:
    """Whether `path` may be written, which is left as it was. Raises `OSError` where not."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "permission denied")
        return
    with tempfile.TemporaryFile(dir=path.absolute().parent):
        pass


def remove_former(*paths: Path | None) -> None:
    """Remove the answers of an earlier command, which nobody should take for those of this one
    where it makes none. One whose folder may not be written, or that is mounted by itself, is
    emptied. Raises `UserError` where neither can be."""
    for path in paths:
        if path is None or not path.is_file() or path.is_symlink():
            continue
        try:
            path.unlink()
        except OSError:
            write(path, "")


@contextlib.contextmanager
def outlasting_reader(*files: Path | None) -> Iterator[None]:
    """Within it a reader of the output that goes away (`webdyno hit … | head`) ends nothing, where
    any of `files` was asked for: what is measured is still to be written. After it raises
    `BrokenPipeError` for such a reader, as the first write to nobody would have."""
    if not any(files):
        yield
        return
    printed = sys.stdout
    lasting = _Lasting(printed)
    sys.stdout = cast(TextIO, lasting)
    try:
        yield
    finally:
        sys.stdout = printed
    if lasting.reader_left:
        raise BrokenPipeError


class _Lasting:
    """A stream as it is, but for its reader, whom it does not need."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.reader_left = False

    def write(self, text: str) -> int:
        """Write `text`, or lose it where nobody reads it."""
        with self._to_nobody():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if anybody reads it."""
        with self._to_nobody():
            self._stream.flush()

    @contextlib.contextmanager
    def _to_nobody(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self.reader_left = True
            give_to_nobody(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def write_and_show(
    files: Sequence[tuple[Path | None, Callable[[], str]]], show: Callable[[], None]
) -> None:
    """Write the texts to those files that were asked for, and `show` the same on the screen.

    The files come first, since what shows ends where its reader has gone (`webdyno hit … | head`);
    one that cannot be written keeps nothing else back. Raises `UserError` for it.
    """
    with contextlib.ExitStack() as last_first:
        last_first.callback(show)
        for path, text in reversed(files):
            if path is not None:
                last_first.callback(lambda path, text: write(path, text()), path, text)


def write(path: Path, text: str) -> None:
    """Write `text` to `path`, wholly or not at all. Raises `UserError` where that cannot be."""
    try:
        replace_text(path, text)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}); name another file"
        ) from None


def replace_text(path: Path, text: str) -> None:
    """Write `text` to `path`; what was there before stays if that fails. Raises `OSError`.

    What is no ordinary file, such as a pipe or /dev/stdout, is written to; a link keeps its target.
    """
    there = path.resolve()
    is_stream = path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc")
    if is_stream or (there.exists() and not there.is_file()):
        path.write_text(text, encoding="utf-8")
        return
    try:
        file = tempfile.NamedTemporaryFile(  # noqa: SIM115 - It may have been renamed at the end.
            "w", encoding="utf-8", dir=there.parent, prefix=f".{there.name}.", delete=False
        )
    except OSError as error:
        if error.errno not in _OF_ITS_FOLDER:
            raise
        path.write_text(text, encoding="utf-8")
        return
    try:
        with file:
            file.write(text)
        Path(file.name).chmod(_mode_of(there))
        _replace(Path(file.name), there, text)
    finally:
        Path(file.name).unlink(missing_ok=True)


_OF_ITS_FOLDER = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)
"""What forbids to make or to replace a file, which may be written all the same: a folder that may
not be, one in which each user's files are their own (/tmp), and a file that is mounted by itself,
as into a container."""


def _replace(written: Path, path: Path, text: str) -> None:
    """Let `written`, which holds `text`, take the place of the file `path`. Raises `OSError`."""
    try:
        written.replace(path)
    except OSError as error:
        if error.errno not in _OF_ITS_FOLDER:
            raise
        written.unlink()  # Its room on the disk may be needed.
        path.write_text(text, encoding="utf-8")


def _mode_of(path: Path) -> int:
    """Permissions of `path`, or of a new file."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
