import random

from django.http import HttpRequest, JsonResponse


def numbers(request: HttpRequest) -> JsonResponse:
    return JsonResponse({f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)})
