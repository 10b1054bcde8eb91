from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.page.models import Article


def page(request: HttpRequest) -> HttpResponse:
    return render(request, "page.html", {"articles": Article.objects.all()})
