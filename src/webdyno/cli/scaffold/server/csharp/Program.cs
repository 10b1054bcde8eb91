using System.Net;

// The scenario `hello`, in ASP.NET Core. Replace it with your framework's.
var apps = new Dictionary<string, Action<WebApplication>>
{
    ["hello"] = server => server.MapGet("/hello", () => "Hello World"),
};

var scenario = Environment.GetEnvironmentVariable("WEBDYNO_SCENARIO") ?? "";
if (!apps.TryGetValue(scenario, out var mount))
{
    Console.Error.WriteLine($"WEBDYNO_SCENARIO is '{scenario}'; one of: {string.Join(", ", apps.Keys)}");
    return 2;
}
var host = IPAddress.Parse(Environment.GetEnvironmentVariable("HOST") ?? "127.0.0.1");
var port = int.Parse(Environment.GetEnvironmentVariable("PORT") ?? "");

var builder = WebApplication.CreateBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(host, port));
// On SIGTERM requests in flight may end; what is open after two seconds is cut.
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(2));

var app = builder.Build();
mount(app);
app.Run();
return 0;
