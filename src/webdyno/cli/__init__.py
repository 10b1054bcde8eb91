"""The command line: one module a command, holding a function of the command's name; a room where a
command is more than a module, such as `hit/`.

Where that name is taken by Python itself, the function carries an underscore: `list_`. The
function's parameters are typer's annotations. A module is imported only when its command is
called (see `main`), so that `webdyno --help` stays quick; it still imports what is heavy (numpy,
pandas, charts) inside its functions, so that its own `--help` does too.

A command ends by returning, by `typer.Exit(code)`, or by `UserError` (one line, exit code 2).
"""
