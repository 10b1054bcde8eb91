from django.urls import path

from apps.queries import views

urlpatterns = [path("queries", views.queries)]
