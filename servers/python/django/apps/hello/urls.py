from django.urls import path

from apps.hello import views

urlpatterns = [path("hello", views.hello)]
