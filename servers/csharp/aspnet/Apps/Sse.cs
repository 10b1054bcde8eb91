using System.Text;
using System.Text.Json;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /events?n=N&amp;tag=TAG&amp;gap=GAP: server-sent events, each made and flushed by itself.</summary>
static class Sse
{
    const int MostEvents = 10_000;
    const int LongestGapMs = 1000;

    static readonly JsonSerializerOptions AsOnTheWeb = new(JsonSerializerDefaults.Web);

    internal record Pushed(int Number, string Tag, long Made);

    public static void Mount(WebApplication app) => app.MapGet("/events", (RequestDelegate)Push);

    static async Task Push(HttpContext context)
    {
        var query = context.Request.Query;
        var tag = query["tag"].ToString();
        var count = WholeNumber.UpTo(MostEvents, query["n"]) ?? 0;
        var gapMs = query.ContainsKey("gap") ? WholeNumber.UpTo(LongestGapMs, query["gap"]) : 0;
        var last = context.Request.Headers.TryGetValue("Last-Event-ID", out var id) ? WholeNumber.UpTo(count, id) : 0;
        var response = context.Response;
        if (count == 0 || gapMs is null || last is null || !Tags.IsTag(tag))
        {
            response.StatusCode = 400;
            return;
        }
        if (last == count)
        {
            response.StatusCode = 204;
            return;
        }
        response.ContentType = "text/event-stream";
        response.Headers.CacheControl = "no-cache";
        try
        {
            for (var number = last.Value + 1; number <= count; number++)
            {
                if (gapMs > 0 && number > last + 1)
                {
                    await Task.Delay(gapMs.Value, context.RequestAborted);
                }
                await response.Body.WriteAsync(Event(number, tag), context.RequestAborted);
                await response.Body.FlushAsync(context.RequestAborted);
            }
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // The client has left.
        }
    }

    static byte[] Event(int number, string tag)
    {
        var data = JsonSerializer.Serialize(new Pushed(number, tag, Clock.Microseconds()), AsOnTheWeb);
        return Encoding.UTF8.GetBytes($"id: {number}\ndata: {data}\n\n");
    }
}
