import random

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.parameters import wanted_rows
from apps.updates.models import Item

ROWS = 10_000


@csrf_exempt
@require_POST
@transaction.atomic
def updates(request: HttpRequest) -> JsonResponse:
    # Rows that are always locked in the same order cannot make transactions wait for each other.
    drawn = sorted(random.sample(range(1, ROWS + 1), wanted_rows(request)))
    items = [Item.objects.select_for_update().get(pk=id) for id in drawn]
    for item in items:
        item.quantity += 1
    Item.objects.bulk_update(items, ["quantity"])
    return JsonResponse([{"id": item.id, "quantity": item.quantity} for item in items], safe=False)
