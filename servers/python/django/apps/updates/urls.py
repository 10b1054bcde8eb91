from django.urls import path

from apps.updates import views

urlpatterns = [path("updates", views.updates)]
