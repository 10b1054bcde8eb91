import random

from litestar import Litestar, get

from apps import logs


@get("/json")
async def numbers() -> dict[str, int]:
    return {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}


app = Litestar([numbers], logging_config=logs.config, openapi_config=None)
