const std = @import("std");
const decimal = @import("../decimal.zig");
const Exchange = @import("../exchange.zig").Exchange;
const stamps = @import("../stamps.zig");

const most_events = 10_000;
const longest_gap_ms = 1000;

/// More than the longest event, in bytes.
const event_bytes = 256;

const Pushed = struct { number: u32, tag: []const u8, made: u64 };

/// What a client asks for: the events after `last` up to `count`.
const Wanted = struct {
    count: u32,
    tag: []const u8,
    gap_ms: u32,
    last: u32,

    /// Null where the request is not right.
    fn read(exchange: *const Exchange) !?Wanted {
        const count = decimal.parse(try exchange.parameter("n"), 1, most_events) orelse return null;
        const gap = try exchange.optionalParameter("gap") orelse "0";
        const last = exchange.headerValue("last-event-id") orelse "0";
        const tag = try exchange.parameter("tag");
        if (!stamps.isTag(tag)) return null;
        return .{
            .count = count,
            .tag = tag,
            .gap_ms = decimal.parse(gap, 0, longest_gap_ms) orelse return null,
            .last = decimal.parse(last, 0, count) orelse return null,
        };
    }
};

pub const Events = struct {
    pub fn load(_: std.mem.Allocator) !Events {
        return .{};
    }

    pub fn answer(_: *const Events, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/events")) return exchange.notFound();
        const wanted = try Wanted.read(exchange) orelse {
            return exchange.refuse(.bad_request, "n must be 1 to 10000, tag have 18 digits\n");
        };
        if (wanted.last == wanted.count) return exchange.request.respond("", .{ .status = .no_content });
        var body = try exchange.request.respondStreaming(&.{}, .{ .respond_options = .{
            .extra_headers = &.{
                .{ .name = "content-type", .value = "text/event-stream" },
                .{ .name = "cache-control", .value = "no-cache" },
            },
        } });
        for (wanted.last + 1..wanted.count + 1) |number| {
            if (wanted.gap_ms > 0 and number > wanted.last + 1) {
                try exchange.pause(@intCast(wanted.gap_ms));
            }
            const pushed: Pushed = .{ .number = @intCast(number), .tag = wanted.tag, .made = stamps.micros() };
            const data = std.json.fmt(pushed, .{});
            var buffer: [event_bytes]u8 = undefined;
            const event = try std.fmt.bufPrint(&buffer, "id: {d}\ndata: {f}\n\n", .{ number, data });
            try body.writer.writeAll(event);
            // Fails once the client is gone.
            try body.flush();
        }
        try body.end();
    }
};
