from django.http import HttpRequest, HttpResponse


def visit(request: HttpRequest) -> HttpResponse:
    count = request.session.get("count", 0) + 1
    request.session["count"] = count
    return HttpResponse(f"Count is {count}", content_type="text/plain")
