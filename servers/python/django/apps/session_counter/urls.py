from django.urls import path

from apps.session_counter import views

urlpatterns = [path("", views.visit)]
