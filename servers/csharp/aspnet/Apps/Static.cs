using Microsoft.Extensions.FileProviders;

namespace Webdyno.AspNet.Apps;

/// <summary>GET /PATH: the files of a folder, by ASP.NET Core's static file middleware.</summary>
static class Static
{
    public static void Mount(WebApplication app)
    {
        var folder = Path.GetFullPath(Launch.Required("WEBDYNO_STATIC"));
        app.UseStaticFiles(new StaticFileOptions { FileProvider = new PhysicalFileProvider(folder) });
    }
}
