//! Files below a folder, opened and read for each request.

const std = @import("std");
const Exchange = @import("exchange.zig").Exchange;

const types: std.StaticStringMap([]const u8) = .initComptime(.{
    .{ ".css", "text/css" },
    .{ ".html", "text/html" },
    .{ ".js", "text/javascript" },
    .{ ".png", "image/png" },
    .{ ".svg", "image/svg+xml" },
    .{ ".txt", "text/plain" },
});

pub const Files = struct {
    folder: std.fs.Dir,

    pub fn open(path: []const u8) !Files {
        return .{ .folder = try std.fs.cwd().openDir(path, .{}) };
    }

    /// Answers with the file at the path that was asked for; 404 where there is none.
    pub fn send(files: Files, exchange: *Exchange) !void {
        switch (exchange.request.head.method) {
            .GET, .HEAD => {},
            else => return exchange.refuse(.method_not_allowed, "GET or HEAD alone\n"),
        }
        const path = try exchange.decoded(exchange.path()[1..]);
        if (!staysInside(path)) return exchange.notFound();
        const file = files.folder.openFile(path, .{}) catch |err| switch (err) {
            // It may well be there.
            error.ProcessFdQuotaExceeded, error.SystemFdQuotaExceeded, error.SystemResources => {
                return exchange.failed(err);
            },
            else => return exchange.notFound(),
        };
        defer file.close();
        const stat = try file.stat();
        if (stat.kind != .file) return exchange.notFound();

        const kind = types.get(std.fs.path.extension(path)) orelse "application/octet-stream";
        var buffer: [1024]u8 = undefined;
        var body = try exchange.request.respondStreaming(&buffer, .{
            .content_length = stat.size,
            .respond_options = .{ .extra_headers = &.{.{ .name = "content-type", .value = kind }} },
        });
        var reader: std.fs.File.Reader = .initSize(file, &.{}, stat.size);
        _ = try body.writer.sendFileAll(&reader, .limited64(stat.size));
        try body.end();
    }
};

/// Whether `path` leads below the folder that it is relative to.
fn staysInside(path: []const u8) bool {
    if (path.len == 0 or path[0] == '/' or std.mem.indexOfScalar(u8, path, 0) != null) return false;
    var parts = std.mem.splitScalar(u8, path, '/');
    while (parts.next()) |part| {
        if (std.mem.eql(u8, part, "..")) return false;
    }
    return true;
}
