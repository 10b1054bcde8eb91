using System.Security.Cryptography;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /benchmark?n=N: the SHA-256 chain of a file.</summary>
static class Sha256
{
    const int MostRounds = 100_000;

    public static void Mount(WebApplication app)
    {
        var file = Launch.Required("WEBDYNO_FILE");
        app.MapGet("/benchmark", async (HttpRequest request) =>
        {
            var rounds = WholeNumber.UpTo(MostRounds, request.Query["n"]);
            if (rounds is null or 0)
            {
                return Results.Text("n must be an integer from 1 to 100000", statusCode: 400);
            }
            return Results.Text(Chain(await File.ReadAllBytesAsync(file), rounds.Value));
        });
    }

    /// <summary>Each round hashes the content and the digest of the one before.</summary>
    static string Chain(byte[] content, int rounds)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] digest = [];
        for (var round = 0; round < rounds; round++)
        {
            hash.AppendData(content);
            hash.AppendData(digest);
            digest = hash.GetHashAndReset();
        }
        return Convert.ToHexString(digest).ToLowerInvariant();
    }
}
