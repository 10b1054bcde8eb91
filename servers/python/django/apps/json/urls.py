from django.urls import path

from apps.json import views

urlpatterns = [path("json", views.numbers)]
