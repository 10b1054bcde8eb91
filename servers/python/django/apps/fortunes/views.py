from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render

from apps.fortunes.models import Fortune


def fortunes(request: HttpRequest) -> HttpResponse:
    added = request.GET.get("added")
    if not added:
        return HttpResponseBadRequest("added must be a text")
    rows = [*Fortune.objects.all(), Fortune(id=0, message=added)]
    rows.sort(key=lambda fortune: fortune.message)
    return render(request, "fortunes.html", {"fortunes": rows})
