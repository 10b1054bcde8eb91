"""From two versions to a study: a service that was written elsewhere takes part, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.version import from_one_folder
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.errors import UserError
from webdyno.runtime.services import plugins

QUEUE = "from webdyno.runtime.services.base import Service\nSERVICE = Service(None, None)\n"


@pytest.fixture(autouse=True)
def written_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that does not say which variables it gives."""
    (tmp_path / "queue.py").write_text(QUEUE)
    monkeypatch.setattr(plugins, "__path__", [*plugins.__path__, str(tmp_path)])


def paired(folder: Path, *services: str) -> Pairing:
    run = {"command": "./shop ${QUEUE_URL}; exit"}
    keys = {"requests": ["GET /"], "run": run, "services": {name: {} for name in services}}
    description = Description.model_validate({"name": "shop", **keys})
    return pairing(description, from_one_folder(folder), Catalog(), folder / "study")


@pytest.mark.parametrize("services", [(), ("postgresql",)])
def test_a_variable_that_no_service_gives_is_refused(
    services: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="QUEUE_URL"):
        paired(tmp_path, *services)


def test_one_that_a_service_may_give_is_not(tmp_path: Path) -> None:
    assert paired(tmp_path, "queue", "postgresql").service == "shop"
