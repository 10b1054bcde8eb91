using System.Text.Json.Serialization;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /json: ten fresh random numbers, serialised by System.Text.Json.</summary>
static class Json
{
    internal record Numbers(
        [property: JsonPropertyName("Test Number 1")] int Number1,
        [property: JsonPropertyName("Test Number 2")] int Number2,
        [property: JsonPropertyName("Test Number 3")] int Number3,
        [property: JsonPropertyName("Test Number 4")] int Number4,
        [property: JsonPropertyName("Test Number 5")] int Number5,
        [property: JsonPropertyName("Test Number 6")] int Number6,
        [property: JsonPropertyName("Test Number 7")] int Number7,
        [property: JsonPropertyName("Test Number 8")] int Number8,
        [property: JsonPropertyName("Test Number 9")] int Number9,
        [property: JsonPropertyName("Test Number 10")] int Number10)
    {
        public static Numbers Draw() =>
            new(Number(), Number(), Number(), Number(), Number(), Number(), Number(), Number(), Number(), Number());

        static int Number() => Random.Shared.Next(0, 1001);
    }

    public static void Mount(WebApplication app) => app.MapGet("/json", Numbers.Draw);
}
