using System.Net;
using Webdyno.AspNet;
using Webdyno.AspNet.Apps;

// What mounts each scenario, so that a process mounts its own only.
var apps = new Dictionary<string, Action<WebApplication>>
{
    ["hello"] = Hello.Mount,
    ["middleware"] = Middleware.Mount,
    ["json"] = Json.Mount,
    ["static"] = Static.Mount,
    ["sha256"] = Sha256.Mount,
    ["upload"] = Upload.Mount,
    ["stream"] = Streaming.Mount,
    ["sse"] = Sse.Mount,
    ["websocket-echo"] = WebSocketEcho.Mount,
};

var scenario = Environment.GetEnvironmentVariable("WEBDYNO_SCENARIO") ?? "";
if (!apps.TryGetValue(scenario, out var mount))
{
    Launch.Refuse($"WEBDYNO_SCENARIO is '{scenario}': expected one of {string.Join(", ", apps.Keys)}");
}
var host = Environment.GetEnvironmentVariable("HOST");
var address = IPAddress.Parse(string.IsNullOrEmpty(host) ? "127.0.0.1" : host);
var port = Launch.RequiredNumber("PORT");

var builder = WebApplication.CreateBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.ConfigureKestrel(kestrel =>
{
    kestrel.Listen(address, port);
    kestrel.AddServerHeader = false;
    // By default 30 MB, in which a chunked body's framing counts, too.
    kestrel.Limits.MaxRequestBodySize = null;
});
// On SIGTERM requests in flight may end; what is open after two seconds is cut.
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(2));

var app = builder.Build();
mount(app);
app.Run();
