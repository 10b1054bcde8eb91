"""The servers of Node.js answer `hello` and `middleware` with the same bytes: booted and asked."""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest

from support.one_trial import plan_of, skip_where_unbuildable, started
from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Closed
from webdyno.trial.proof.prove import verifier_of
from webdyno.verdict.comparison.answer_differences import Captured, differences

pytestmark = [pytest.mark.concurrent, pytest.mark.long]

SERVERS = ("http", "kwan", "toa", "trek", "koa", "express", "fastify", "hono")


def asked(server: str, scenario: str, folder: Path) -> Captured:
    """What the server answers to the scenario's first request, once it has warmed to it."""
    catalog = Catalog()
    server_variant = ServerVariant(catalog.server(server))
    load = Closed(kind="closed", connections=1, duration=1.0)
    with skip_where_unbuildable():
        plan = plan_of(catalog, server_variant, scenario, load, folder)
    prepared = verifier_of(plan.scenario, {}, folder, plan.seed).prepare()
    with started(plan, prepared.env) as running:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=5)
        for _ in range(3):  # The first answers of a connection are no other than the later ones.
            connection.request("GET", "/hello", headers={"Host": "localhost"})
            response = connection.getresponse()
            answer = Captured(response.status, response.getheaders(), response.read())
        connection.close()
        return answer


@pytest.mark.parametrize("scenario", ["hello", "middleware"])
def test_node_servers_answer_alike_but_for_the_name_of_one(scenario: str, tmp_path: Path) -> None:
    answers = {f"node/{name}": asked(f"node/{name}", scenario, tmp_path) for name in SERVERS}
    found = {one.what: one for one in differences(answers)}
    assert set(found) == {"server", "size"}, [one.sentence() for one in found.values()]
    # Toa names itself in every answer, and has no setting against it.
    (nobody, _), (name, who) = found["server"].groups
    assert (nobody, who) == ("not sent", ("node/toa",))
    usual, more = found["size"].sizes
    assert more - usual == len(f"server: {name}\r\n")
