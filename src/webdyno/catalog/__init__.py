"""Typed manifests and the folders they are found in."""

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.load import Closed, Iterations, Load, Objective, Open
from webdyno.catalog.scenario import Scenario, ScenarioManifest
from webdyno.catalog.server import Server, ServerManifest
from webdyno.catalog.study import StudyManifest

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
