from fastapi import FastAPI, HTTPException, WebSocket

app = FastAPI()


@app.websocket("/ws")
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    # Not iter_text or iter_bytes: each takes messages of one type only.
    while (message := await socket.receive())["type"] == "websocket.receive":
        if (text := message.get("text")) is not None:
            await socket.send_text(text)
        else:
            await socket.send_bytes(message["bytes"])


@app.get("/ws")
async def plain() -> None:
    raise HTTPException(426, "Upgrade Required", headers={"Upgrade": "websocket"})
