import os
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.blog.posts import Library

library = Library(Path(os.environ["WEBDYNO_BLOG_DATA"]))


def blog(request: HttpRequest) -> HttpResponse:
    return render(request, "blog.html", {"posts": library.draw_page()})
