import os
from importlib import import_module

from django.urls import path


def routes(scenario: str) -> list:
    """The routes of a scenario; the other's application is not imported."""
    if scenario == "session-counter":
        return [path("", import_module("session_counter.views").visit)]
    return [path("page", import_module("page.views").page)]


urlpatterns = routes(os.environ["WEBDYNO_SCENARIO"])
