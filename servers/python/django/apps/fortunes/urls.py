from django.urls import path

from apps.fortunes import views

urlpatterns = [path("fortunes", views.fortunes)]
