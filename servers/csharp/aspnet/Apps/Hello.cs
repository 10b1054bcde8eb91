namespace Webdyno.AspNet.Apps;

/// <summary>GET /hello: the smallest answer.</summary>
static class Hello
{
    public static void Mount(WebApplication app) => app.MapGet("/hello", () => "Hello World");
}
