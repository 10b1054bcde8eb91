from django.urls import path

from apps.stream import views

urlpatterns = [path("stream", views.stream)]
