from aiohttp import WSCloseCode, WSMsgType, web

routes = web.RouteTableDef()


@routes.get("/ws")
async def echo(request: web.Request) -> web.StreamResponse:
    # By itself aiohttp answers every close with the code 1000.
    socket = web.WebSocketResponse(autoclose=False)
    if not socket.can_prepare(request):
        raise web.HTTPUpgradeRequired(headers={"Upgrade": "websocket"})
    await socket.prepare(request)
    async for message in socket:
        if message.type is WSMsgType.TEXT:
            await socket.send_str(message.data)
        elif message.type is WSMsgType.BINARY:
            await socket.send_bytes(message.data)
    # A close may come without a code.
    await socket.close(code=socket.close_code or WSCloseCode.OK)
    return socket


app = web.Application()
app.add_routes(routes)
