import random

from django.http import HttpRequest, JsonResponse

from apps.parameters import wanted_rows
from apps.queries.models import World

ROWS = 10_000


def queries(request: HttpRequest) -> JsonResponse:
    drawn = [random.randint(1, ROWS) for _ in range(wanted_rows(request))]
    worlds = [World.objects.get(pk=id) for id in drawn]
    shown = [{"id": world.id, "randomNumber": world.random_number} for world in worlds]
    return JsonResponse(shown, safe=False)
