from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    # Not iter_text or iter_bytes: each takes messages of one type only.
    while (message := await socket.receive())["type"] == "websocket.receive":
        if (text := message.get("text")) is not None:
            await socket.send_text(text)
        else:
            await socket.send_bytes(message["bytes"])


async def plain(request: Request) -> PlainTextResponse:
    return PlainTextResponse("Upgrade Required", 426, headers={"Upgrade": "websocket"})


app = Starlette(routes=[Route("/ws", plain), WebSocketRoute("/ws", echo)])
