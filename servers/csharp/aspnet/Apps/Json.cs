namespace Webdyno.AspNet.Apps;

/// <summary>GET /json: ten fresh random numbers, serialised by System.Text.Json.</summary>
static class Json
{
    public static void Mount(WebApplication app) => app.MapGet("/json", Numbers);

    static Dictionary<string, int> Numbers() =>
        Enumerable.Range(1, 10).ToDictionary(number => $"Test Number {number}", _ => Random.Shared.Next(0, 1001));
}
