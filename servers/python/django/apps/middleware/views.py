from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.middleware import counts


def hello(request: HttpRequest) -> HttpResponse:
    counts.receive()
    return HttpResponse("Hello World", content_type="text/plain")


def passed(request: HttpRequest) -> JsonResponse:
    return JsonResponse(counts.receive())
