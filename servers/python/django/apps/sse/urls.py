from django.urls import path

from apps.sse import views

urlpatterns = [path("events", views.push)]
