"""Every message of a `UserError` says what to do: "where: what; remedy"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from support.source_code import tree_of

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "webdyno"

OF_USERS = {
    "DriverMissing", "MalformedMessage", "RayMissing", "Unreachable", "Unreadable", "UserError",
}  # fmt: skip
"""It, and what is derived from it."""
FROM_WITHIN = "the error within has its own remedy"
OF_A_TABLE = "the remedies stand in the table of what cannot be combined"
EXCEPTIONS = {
    "{name}: not updated: {error}": "what the ecosystem's client said; it may be anything",
    "{name} and a {target.url.partition(':')[0]}:// URL: {remedy}": OF_A_TABLE,
    "{name} cannot be combined with --agents: {remedy}": OF_A_TABLE,
    "{both} cannot be combined: {remedy}": OF_A_TABLE,
    "{manifest}: scenarios: {error}": FROM_WITHIN,
    "{option}: {error}": FROM_WITHIN,
    "{url}: {error}": FROM_WITHIN,
    "{letter} ({version.name}) {broken.says}: {reason}": "what its build or verification said",
    "{where}: not valid TOML: {error}": "the parser names the line, and what it expected there",
    "{where}: key 'toolchain': {error}": FROM_WITHIN,
    "{where}: {place}: {error}": FROM_WITHIN,
    "{where}: {printable(fault)}": "the fault says what it must be",
    "{who} refused: {read_message(Refusal, answer, who).refused}": FROM_WITHIN,
    "'{text}' is neither a folder nor {why_no_commit(cwd, text)}": "the reason ends in its remedy",
    "runs {old.id} and {new.id} have nothing to compare{why}": "a refusal of a pair, or a remedy",
    "scenario {plan.scenario.id}: {error}": FROM_WITHIN,
    "scenario {scenario}: {error}": FROM_WITHIN,
    "services.{name}: {error}": FROM_WITHIN,
    "store {_shown(where)}: cannot be opened: {reason}{_room_for(reason) or "
    "'; fix that, or name ' + _instead(where, error)}": "both of what may stand there are remedies",
}
"""Messages without a remedy of their own, each with the reason why it needs none."""


_CALL = re.compile(rf"\b(?:{'|'.join(sorted(OF_USERS))})\(")


def trees() -> Iterator[tuple[Path, ast.AST]]:
    """The files that make an error of the user's, each with its syntax tree."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if PACKAGE / "content" not in path.parents and _CALL.search(text):
            yield path, tree_of(path)


def messages(tree: ast.AST) -> Iterator[str]:
    """The text of each error of the user's made from a literal, what is put into it in braces."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[said, *_]) if name in OF_USERS:
                if isinstance(said, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                    yield "".join(_texts(said))


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _texts(part)
        case ast.FormattedValue(value=value):
            yield f"{{{ast.unparse(value)}}}"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _texts(left)
            yield from _texts(right)
        case _:
            yield f"{{{ast.unparse(node)}}}"


def written_out(message: str) -> str:
    """A message without what is put into it, whose own semicolons are no remedy."""
    while (left := re.sub(r"{[^{}]*}", "", message)) != message:
        message = left
    return message


def test_all_that_is_derived_from_it_is_looked_at() -> None:
    derived = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"^class (\w+)\(UserError\)", path.read_text("utf-8"), re.M)
    }
    assert {"UserError", *derived} == OF_USERS


def test_messages_are_read_as_they_are_written() -> None:
    code = 'raise UserError(f"{path}: no {kind}" "; add " + it)\nraise UserError(str(error))'
    assert list(messages(ast.parse(code))) == ["{path}: no {kind}; add {it}"]
    assert written_out("none: {'; '.join(gone)}") == "none: "


def test_every_message_has_its_remedy() -> None:
    found = {
        (message, str(path.relative_to(PACKAGE)))
        for path, tree in trees()
        for message in messages(tree)
    }
    assert len(found) > 250
    without = {one for one in found if "; " not in written_out(one[0])}
    assert not {one for one in without if one[0] not in EXCEPTIONS}
    assert not EXCEPTIONS.keys() - {message for message, _ in without}, "these need no exception"
