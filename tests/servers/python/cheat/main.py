"""An honest server, or with `CHEAT=name` one that cheats at the scenario it is started for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

import blog_cheats
import cached_cheats
import echo_cheats
import fortunes_cheats
import hello_cheats
import json_cheats
import less_in_a_crowd
import link_cheats
import page_cheats
import pushed_cheats
import queries_cheats
import secret_cheats
import session_batches
import session_cheats
import sha256_cheats
import static_cheats
import stream_cheats
import unread_cheats
import unseen_cheats
import update_cheats
import upload_cheats
import witness
from echo import HONEST as ECHOED
from honest import HONEST as ALONE
from pushed import HONEST as PUSHED
from rows import HONEST as OF_ROWS
from tiny import Handler, serve, witnesses

CHEATS: dict[str, Mapping[str, Callable[[], Handler]]] = {
    "hello": hello_cheats.CHEATS,
    "json": json_cheats.CHEATS,
    "blog": blog_cheats.CHEATS,
    "sha256": sha256_cheats.CHEATS,
    "session-counter": {
        **session_cheats.CHEATS,
        **session_batches.CHEATS,
        **secret_cheats.CHEATS,
    },
    "page": page_cheats.CHEATS,
    "static": static_cheats.CHEATS,
    "updates": update_cheats.CHEATS,
    "upload": upload_cheats.CHEATS,
    "stream": stream_cheats.CHEATS,
    "cached": cached_cheats.CHEATS,
    "sse": pushed_cheats.CHEATS,
    "websocket-echo": {**echo_cheats.CHEATS, **link_cheats.CHEATS, **unread_cheats.CHEATS},
    "queries": {**queries_cheats.CHEATS, **unseen_cheats.OF_QUERIES},
    "fortunes": {**fortunes_cheats.CHEATS, **unseen_cheats.OF_FORTUNES},
}


HONEST: Mapping[str, Callable[[], Handler]] = {
    **ALONE,
    **OF_ROWS,
    **PUSHED,
    **ECHOED,
}


def main() -> None:
    scenario, cheat = os.environ["WEBDYNO_SCENARIO"], os.environ.get("CHEAT", "")
    if cheat == "witness":
        witness.environment()
        witnesses.append(witness.see)
        cheat = ""
    programs: Mapping[str, Callable[[], Handler]] = HONEST
    if cheat:
        programs = {**CHEATS.get(scenario, {}), **less_in_a_crowd.cheats_at(scenario)}
    chosen = programs.get(cheat or scenario)
    if chosen is None:
        print(f"no scenario '{scenario}' with cheat '{cheat}'", file=sys.stderr)
        sys.exit(2)
    serve(chosen())


if __name__ == "__main__":
    main()
