import os

from django.urls import path

from counter import views

ROUTES = {
    "session-counter": [path("", views.visit)],
}

urlpatterns = ROUTES[os.environ["WEBDYNO_SCENARIO"]]
