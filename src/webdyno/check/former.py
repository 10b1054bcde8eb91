"""Servers as they were at the commit that is compared with, and what of them has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.git.checkout import check_out
from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.servers.server import Server
from webdyno.check.affected import AffectedServer
from webdyno.check.changes import Changes
from webdyno.errors import UserError
from webdyno.run.preparation.sources import server_digest


@dataclass(frozen=True)
class AffectedVariant:
    """A server or variant, the scenarios it is to be proven in, and what it was at the base; `then`
    is None where there was none, or it cannot be read, as `unread` then says."""

    today: ServerVariant
    scenarios: tuple[str, ...]
    why: str
    then: Server | None
    unread: str = ""

    @property
    def same(self) -> bool:
        """Whether the program and the way it is run are what they were."""
        variant = self.today.variant
        return (
            self.then is not None
            and self.then.has(variant)
            and server_digest(self.then, variant) == server_digest(self.today.server, variant)
        )

    @property
    def dropped(self) -> tuple[str, ...]:
        """Scenarios that it implemented, and does no more."""
        if self.then is None:
            return ()
        today = self.today.server.manifest.scenarios
        return tuple(name for name in self.then.manifest.scenarios if name not in today)

    def compared(self, scenario: str) -> bool:
        """Whether there is another program to compare it with under `scenario`."""
        then = self.then
        return (
            then is not None
            and then.has(self.today.variant)
            and not self.same
            and scenario in then.manifest.scenarios
        )


def former_catalog(changes: Changes, roots: Sequence[Path], into: Path) -> Catalog:
    """The content of the base, checked out below `into`; roots outside the repository as they are.

    Raises `UserError` where git cannot check it out.
    """
    tree = check_out(changes.base, into)
    top = changes.top.resolve()
    then = []
    for root in roots:
        own = root.resolve()
        then.append(tree / own.relative_to(top) if own.is_relative_to(top) else root)
    return Catalog(then)


def dropped_variants(variants: Sequence[AffectedVariant]) -> list[str]:
    """Variants that servers among `variants` had, and have no more."""
    return [
        f"{one.today.server.id}@{name}"
        for one in variants
        if one.today.variant == "default" and one.then is not None
        for name in one.then.manifest.variants
        if not one.today.server.has(name)
    ]


def affected_variants(affected: AffectedServer, former: Catalog) -> list[AffectedVariant]:
    """The server as it comes; its variants that are new or are started in another way; and those on
    runtimes that changed."""
    server, unread = affected.server, ""
    then: Server | None = None
    if any((root / "servers" / server.id / "server.toml").is_file() for root in former.roots):
        try:
            then = former.server(server.id)
        except UserError as error:
            unread = f"its former version cannot be read: {error}"
    else:
        unread = _in_missing_submodule(server, former)
    own = [
        name
        for name in server.manifest.variants
        if then is None or not then.has(name) or then.run_of(name) != server.run_of(name)
    ]
    of_runtimes = [name for name in affected.runtimes if name in server.language.runtimes]
    return [
        AffectedVariant(
            ServerVariant(server.on(variant), variant),
            affected.scenarios,
            affected.why,
            then.on(variant) if then is not None else None,
            unread,
        )
        for variant in ["default", *own, *of_runtimes]
    ]


def _in_missing_submodule(server: Server, former: Catalog) -> str:
    """That the former version is in a submodule whose commit this clone lacks, for a server is not
    new because of that; empty where it is not. Git itself keeps no empty folders."""
    for root in former.roots:
        own = root / "servers" / server.id
        if any(
            one.is_dir() and not any(one.iterdir()) for one in (own, own.parent, own.parents[1])
        ):
            return (
                "its former version is in a git submodule whose commit this clone lacks; fetch "
                "the submodule's history (in an action, submodules: recursive and fetch-depth: 0)"
            )
    return ""
