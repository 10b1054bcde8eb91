"""A command line becomes the argv that a user means."""

import pytest

from webdyno.catalog.terms.command import argv_of


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("node server.js", ["node", "server.js"]),
        ("./service --port ${PORT}", ["./service", "--port", "${PORT}"]),
        ("python -c 'print(1)'", ["python", "-c", "print(1)"]),
        ("gunicorn 'shop:app()' -b :${PORT}", ["gunicorn", "shop:app()", "-b", ":${PORT}"]),
        ("node a.js '$A' $B", ["sh", "-c", "exec node a.js '$A' $B"]),
        ("node \"it's\" (a) 'b'", ["sh", "-c", "exec node \"it's\" (a) 'b'"]),
        ("echo 'two words'", ["echo", "two words"]),
        ("java -jar target/*.jar", ["sh", "-c", "exec java -jar target/*.jar"]),
        ("cd app && node a.js", ["sh", "-c", "cd app && node a.js"]),
        ("LOG=warn node a.js", ["sh", "-c", "LOG=warn node a.js"]),
        ("node $MAIN", ["sh", "-c", "exec node $MAIN"]),
    ],
)
def test_a_shell_is_used_only_where_it_is_needed(line: str, argv: list[str]) -> None:
    assert argv_of(line) == argv


@pytest.mark.parametrize(
    ("line", "said"),
    [("", "must not be empty"), ("   ", "must not be empty"), ("echo 'open", "closing quotation")],
)
def test_what_is_no_command_is_refused(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"(?i){said}"):
        argv_of(line)
