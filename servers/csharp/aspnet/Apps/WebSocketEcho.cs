using System.Net.WebSockets;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /ws: sends each message back.</summary>
static class WebSocketEcho
{
    const int BufferBytes = 16_384;

    public static void Mount(WebApplication app)
    {
        // By default it sends a pong of its own accord every two minutes.
        app.UseWebSockets(new WebSocketOptions { KeepAliveInterval = Timeout.InfiniteTimeSpan });
        app.MapGet("/ws", (RequestDelegate)Upgrade);
    }

    static async Task Upgrade(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.Headers.Upgrade = "websocket";
            context.Response.StatusCode = 426;
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        try
        {
            await Echo(socket);
        }
        catch (Exception left) when (left is WebSocketException or IOException or OperationCanceledException)
        {
            // The client has left without a close.
        }
    }

    /// <summary>A message is sent back as it is received: part by part where it is long or in fragments.</summary>
    static async Task Echo(WebSocket socket)
    {
        var buffer = new byte[BufferBytes];
        while (true)
        {
            var received = await socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None);
            if (received.MessageType == WebSocketMessageType.Close)
            {
                await socket.CloseOutputAsync(
                    socket.CloseStatus ?? WebSocketCloseStatus.NormalClosure,
                    socket.CloseStatusDescription,
                    CancellationToken.None);
                return;
            }
            await socket.SendAsync(
                buffer.AsMemory(0, received.Count),
                received.MessageType,
                received.EndOfMessage,
                CancellationToken.None);
        }
    }
}
