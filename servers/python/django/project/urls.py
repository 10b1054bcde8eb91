import os

from counter import views
from django.urls import path

ROUTES = {
    "session-counter": [path("", views.visit)],
}

urlpatterns = ROUTES[os.environ["WEBDYNO_SCENARIO"]]
