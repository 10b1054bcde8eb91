from django.urls import path

from apps.sha256 import views

urlpatterns = [path("benchmark", views.benchmark)]
