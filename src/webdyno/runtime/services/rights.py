"""What a server may do with a verifier's table in PostgreSQL: no more than its scenario asks."""

from __future__ import annotations

from collections.abc import Mapping

from webdyno.runtime.services.psql import Psql


def let_server(psql: Psql, services: Mapping[str, str], rights: str, table: str) -> None:
    """Give the servers' user, by the variables that they get, only these `rights` to `table`, such
    as "SELECT, UPDATE (quantity)".

    Who may write to a table may lock its rows, and whoever may write to all of its columns may lock
    all of it: then our changes wait until the server lets them through. Raises `ServiceError`.
    """
    psql.rows(
        'REVOKE INSERT, UPDATE, DELETE ON :"table" FROM :"user";'
        f' GRANT {rights} ON :"table" TO :"user";',
        table=table,
        user=services["PGUSER"],
    )
