from litestar import Litestar, MediaType, get

from apps import logs


@get("/hello", media_type=MediaType.TEXT)
async def hello() -> str:
    return "Hello World"


app = Litestar([hello], logging_config=logs.config, openapi_config=None)
