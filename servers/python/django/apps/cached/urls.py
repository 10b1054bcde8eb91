from django.urls import path

from apps.cached import views

urlpatterns = [path("cached", views.cached)]
