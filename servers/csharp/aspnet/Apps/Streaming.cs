using System.Text;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /stream?n=N&amp;tag=TAG: a large answer, piece by piece.</summary>
static class Streaming
{
    const int MostPieces = 65_536;
    const int PieceBytes = 4096;

    public static void Mount(WebApplication app) => app.MapGet("/stream", (RequestDelegate)Send);

    static async Task Send(HttpContext context)
    {
        var count = WholeNumber.UpTo(MostPieces, context.Request.Query["n"]);
        var tag = context.Request.Query["tag"].ToString();
        if (count is null or 0 || !Tags.IsTag(tag))
        {
            context.Response.StatusCode = 400;
            return;
        }
        context.Response.ContentType = "text/plain; charset=utf-8";
        var body = context.Response.BodyWriter;
        for (var number = 0; number < count; number++)
        {
            Write(body.GetSpan(PieceBytes)[..PieceBytes], number, tag);
            body.Advance(PieceBytes);
            // It waits until the connection can take more; it is completed where the client has left.
            var flushed = await body.FlushAsync();
            if (flushed.IsCompleted)
            {
                return;
            }
        }
    }

    static void Write(Span<byte> piece, int number, string tag)
    {
        piece.Fill((byte)'.');
        Encoding.ASCII.GetBytes($"{number:D10} {tag} {Clock.Microseconds():D16} ", piece);
        piece[^1] = (byte)'\n';
    }
}
