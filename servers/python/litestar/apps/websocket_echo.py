from litestar import Litestar, WebSocket, get, websocket
from litestar.exceptions import ClientException

from apps import logs


@websocket("/ws")
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    # Not websocket_listener or iter_data: each takes messages of one type only.
    while (message := await socket.receive())["type"] == "websocket.receive":
        if (text := message.get("text")) is not None:
            await socket.send_text(text)
        else:
            await socket.send_bytes(message["bytes"])


@get("/ws")
async def plain() -> None:
    raise ClientException("Upgrade Required", status_code=426, headers={"Upgrade": "websocket"})


app = Litestar([echo, plain], logging_config=logs.config, openapi_config=None)
