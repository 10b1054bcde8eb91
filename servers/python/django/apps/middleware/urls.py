from django.urls import path

from apps.middleware import views

urlpatterns = [path("hello", views.hello), path("passed", views.passed)]
