using System.Security.Cryptography;

namespace Webdyno.AspNet.Apps;

/// <summary>POST /upload: hashes a body as it arrives.</summary>
static class Upload
{
    public static void Mount(WebApplication app) =>
        app.MapPost("/upload", async (HttpRequest request) =>
        {
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            var length = 0L;
            while (true)
            {
                var read = await request.BodyReader.ReadAsync();
                foreach (var piece in read.Buffer)
                {
                    hash.AppendData(piece.Span);
                    length += piece.Length;
                }
                request.BodyReader.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                {
                    break;
                }
            }
            var digest = Convert.ToHexString(hash.GetHashAndReset()).ToLowerInvariant();
            return $"sha256:{digest} {length}";
        });
}
