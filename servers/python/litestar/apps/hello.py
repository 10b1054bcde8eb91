from litestar import Litestar, MediaType, get


@get("/hello", media_type=MediaType.TEXT)
async def hello() -> str:
    return "Hello World"


app = Litestar([hello], openapi_config=None)
