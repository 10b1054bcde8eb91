namespace Webdyno.AspNet;

static class Clock
{
    /// <summary>The time in microseconds since 1970.</summary>
    public static long Microseconds() => (DateTime.UtcNow - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
}
