//! Answers one of Webdyno's scenarios with the HTTP server of Zig's standard library.

const std = @import("std");
const App = @import("app.zig").App;
const environment = @import("environment.zig");
const serve = @import("serve.zig").serve;

/// The exit code where the environment is not as it must be.
const misconfigured = 2;

pub fn main() u8 {
    const port = environment.number(u16, "PORT") catch return misconfigured;
    const host = std.posix.getenv("HOST") orelse "127.0.0.1";
    const address = std.net.Address.parseIp(host, port) catch {
        std.log.err("HOST is '{s}': set it to an IP address", .{host});
        return misconfigured;
    };
    const scenario = std.posix.getenv("WEBDYNO_SCENARIO") orelse "";
    // What it loads lives as long as the process.
    const app = App.load(std.heap.smp_allocator, scenario) catch |err| {
        // What says more has been logged where it was found.
        if (err != error.Misconfigured) std.log.err("{s}: {t}", .{ scenario, err });
        return misconfigured;
    };
    serve(&app, address) catch |err| {
        std.log.err("port {d}: {t}", .{ port, err });
        return 1;
    };
    return 0;
}
