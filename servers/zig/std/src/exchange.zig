//! One request, and what is needed to answer it.

const std = @import("std");
const Header = std.http.Header;
const posix = std.posix;

const plain: Header = .{ .name = "content-type", .value = "text/plain; charset=utf-8" };

pub const Exchange = struct {
    request: *std.http.Server.Request,
    socket: posix.socket_t,
    /// Emptied after the answer.
    arena: std.mem.Allocator,

    /// Whether the request is of `method` and for `wanted`, whatever its query.
    pub fn is(exchange: *const Exchange, method: std.http.Method, wanted: []const u8) bool {
        return exchange.request.head.method == method and std.mem.eql(u8, exchange.path(), wanted);
    }

    /// The path that was asked for, as it was sent.
    pub fn path(exchange: *const Exchange) []const u8 {
        const target = exchange.request.head.target;
        return target[0 .. std.mem.indexOfScalar(u8, target, '?') orelse target.len];
    }

    /// The parameter `name` of the query, decoded; empty where there is none.
    pub fn parameter(exchange: *const Exchange, name: []const u8) ![]const u8 {
        return try exchange.optionalParameter(name) orelse "";
    }

    /// The parameter `name` of the query, decoded; null where there is none.
    pub fn optionalParameter(exchange: *const Exchange, name: []const u8) !?[]const u8 {
        const target = exchange.request.head.target;
        const start = std.mem.indexOfScalar(u8, target, '?') orelse return null;
        var pairs = std.mem.splitScalar(u8, target[start + 1 ..], '&');
        while (pairs.next()) |pair| {
            var parts = std.mem.splitScalar(u8, pair, '=');
            if (!std.mem.eql(u8, parts.first(), name)) continue;
            return try exchange.decoded(parts.rest());
        }
        return null;
    }

    /// The value of the first header `name`, whatever its case; null where there is none.
    pub fn headerValue(exchange: *const Exchange, name: []const u8) ?[]const u8 {
        var headers = exchange.request.iterateHeaders();
        while (headers.next()) |each| {
            if (std.ascii.eqlIgnoreCase(each.name, name)) return each.value;
        }
        return null;
    }

    /// Waits in the middle of an answer; fails once the client has left.
    pub fn pause(exchange: *const Exchange, ms: u31) !void {
        var timer = try std.time.Timer.start();
        var polled = [_]posix.pollfd{.{ .fd = exchange.socket, .events = posix.POLL.IN, .revents = 0 }};
        if (try posix.poll(&polled, ms) == 0) return;
        var byte: [1]u8 = undefined;
        if (try posix.recv(exchange.socket, &byte, posix.MSG.PEEK) == 0) return error.ClientLeft;
        // It has sent its next request, which is read after this answer.
        std.Thread.sleep(ms * @as(u64, std.time.ns_per_ms) -| timer.read());
    }

    /// `text` without its percent signs.
    pub fn decoded(exchange: *const Exchange, text: []const u8) ![]const u8 {
        return std.Uri.percentDecodeInPlace(try exchange.arena.dupe(u8, text));
    }

    /// Answers 200 with `content`.
    pub fn send(exchange: *Exchange, kind: []const u8, content: []const u8) !void {
        const header: Header = .{ .name = "content-type", .value = kind };
        try exchange.request.respond(content, .{ .extra_headers = &.{header} });
    }

    pub fn sendText(exchange: *Exchange, content: []const u8) !void {
        try exchange.send(plain.value, content);
    }

    /// Answers with a status other than 200 and a text that says why.
    pub fn refuse(exchange: *Exchange, status: std.http.Status, why: []const u8) !void {
        try exchange.request.respond(why, .{ .status = status, .extra_headers = &.{plain} });
    }

    pub fn notFound(exchange: *Exchange) !void {
        try exchange.refuse(.not_found, "not found\n");
    }

    /// Logs what went wrong; the client learns no more than that something did.
    pub fn failed(exchange: *Exchange, err: anyerror) !void {
        std.log.err("{s}: {t}", .{ exchange.path(), err });
        try exchange.refuse(.internal_server_error, "the request cannot be answered\n");
    }
};
