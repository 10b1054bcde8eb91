namespace Webdyno.AspNet.Apps;

/// <summary>GET /hello behind middlewares, and GET /passed, which tells what they counted.</summary>
static class Middleware
{
    static long requests;
    static long passed;

    internal record Tally(long Requests, long Passed);

    public static void Mount(WebApplication app)
    {
        for (var number = Launch.RequiredNumber("WEBDYNO_MIDDLEWARE"); number > 0; number--)
        {
            app.Use((HttpContext context, RequestDelegate next) =>
            {
                Interlocked.Increment(ref passed);
                return next(context);
            });
        }

        app.MapGet("/hello", () =>
        {
            Interlocked.Increment(ref requests);
            return "Hello World";
        });
        app.MapGet("/passed", () => new Tally(Interlocked.Increment(ref requests), Interlocked.Read(ref passed)));
    }
}
