from django.urls import path

from apps.upload import views

urlpatterns = [path("upload", views.upload)]
