"""Typed manifests and the folders they are found in."""

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Closed, Iterations, Load, Objective, Open
from webdyno.catalog.scenarios.scenario import Scenario, ScenarioManifest
from webdyno.catalog.servers.server import Server
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.study import StudyManifest

__all__ = [
    "Catalog",
    "Closed",
    "Iterations",
    "Load",
    "Objective",
    "Open",
    "Scenario",
    "ScenarioManifest",
    "Server",
    "ServerManifest",
    "ServerVariant",
    "StudyManifest",
]
