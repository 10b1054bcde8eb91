"""The entry point: global options, commands loaded when called, errors as one line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from webdyno import __version__
from webdyno.cli.commands import LazyCommands
from webdyno.cli.failures import (
    INTERRUPTED,
    USAGE,
    RunCutShort,
    give_to_nobody,
    open_closed_streams,
    program,
    report_disk_full,
    report_failure,
    say,
    suit_any_terminal,
)
from webdyno.cli.refusals import refusal_line
from webdyno.errors import UserError
from webdyno.runtime.disk import is_full
from webdyno.runtime.home import unusable

NO_READER = 141
"""Exit code, as shells have it for SIGPIPE."""

app = typer.Typer(
    name="webdyno",
    cls=LazyCommands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def webdyno(
    context: typer.Context,
    content: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder with your own servers/, scenarios/ or studies/."),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Which web server for this work, how sure are we, and what will it cost?

    Builds servers in any language, verifies that they do the same work, loads them, and ranks only
    what the data can tell apart. Start with `webdyno run`.
    """
    if version:
        typer.echo(f"webdyno {__version__}")
        raise typer.Exit
    if content is not None:
        if not content.is_dir():
            raise UserError(
                f"--content {content}: no such folder; name one that holds servers, "
                "scenarios or studies"
            )
        # Through the environment, so that workers and the catalog see it, wherever they run.
        os.environ["WEBDYNO_CONTENT"] = str(content.resolve())
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code and never raises."""
    open_closed_streams()
    suit_any_terminal()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given == ["--version"]:
            print(f"webdyno {__version__}")
            sys.stdout.flush()
            return 0
        result: Any = app(given, prog_name=program(), standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except typer.TyperException as error:
        say(refusal_line(error, given))
        return error.exit_code
    except UserError as error:
        say(str(error))
        return USAGE
    except (KeyboardInterrupt, typer.Abort) as error:
        if isinstance(cause := error.__cause__, EOFError):  # Click takes it for Ctrl-D.
            return report_failure(cause)
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return _without_reader()
    except SystemExit as error:
        # As Rich ends where it finds the pipe broken.
        if isinstance(error.__context__, BrokenPipeError):
            return _without_reader()
        raise
    except Exception as error:
        if refusal := _of_argument(error, given) or _without_folder(error) or _of_own_folder(error):
            say(refusal)
            return USAGE
        if is_full(error):
            return report_disk_full(resumable=isinstance(error, RunCutShort))
        return report_failure(error)


def _without_reader() -> int:
    """The reader has gone (`webdyno list | head`): say nothing, and nothing more at exit."""
    give_to_nobody(sys.stdout)
    return NO_READER


def _of_argument(error: Exception, arguments: Sequence[str]) -> str:
    """What is wrong with an argument that no file, run or name can be called; empty where it is not
    that."""
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return f"{str(error.filename)[:60]}…: {error.strerror}; name another file"
    strange = [one for one in arguments if any("\ud800" <= letter <= "\udfff" for letter in one)]
    if isinstance(error, UnicodeEncodeError) and strange:
        return f"{strange[0]!r:.60}: not valid UTF-8; write it in UTF-8"
    return ""


def _without_folder(error: Exception) -> str:
    """What is wrong where the working folder has been removed; empty where that is not it."""
    if isinstance(error, FileNotFoundError):
        try:
            Path.cwd()
        except FileNotFoundError:
            return "the working folder has been removed; go to another one (cd)"
    return ""


def _of_own_folder(error: Exception) -> str:
    """Which of Webdyno's own folders cannot be used, and the remedy; empty where all can."""
    try:
        return unusable(error)
    except (UserError, FileNotFoundError):  # Without a home, or without any temporary folder.
        return ""
