const std = @import("std");
const decimal = @import("../decimal.zig");
const Exchange = @import("../exchange.zig").Exchange;
const stamps = @import("../stamps.zig");

const piece_bytes = 4096;
const most_pieces = 65_536;

pub const Pieces = struct {
    pub fn load(_: std.mem.Allocator) !Pieces {
        return .{};
    }

    pub fn answer(_: *const Pieces, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/stream")) return exchange.notFound();
        const tag = try exchange.parameter("tag");
        const count = decimal.parse(try exchange.parameter("n"), 1, most_pieces) orelse 0;
        if (count == 0 or !stamps.isTag(tag)) {
            return exchange.refuse(.bad_request, "n must be 1 to 65536, tag have 18 digits\n");
        }
        // Each piece leaves as a chunk of its own, through the connection's buffer.
        var body = try exchange.request.respondStreaming(&.{}, .{ .respond_options = .{
            .extra_headers = &.{.{ .name = "content-type", .value = "text/plain; charset=utf-8" }},
        } });
        for (0..count) |number| {
            var piece: [piece_bytes]u8 = @splat('.');
            _ = try std.fmt.bufPrint(&piece, "{d:0>10} {s} {d:0>16} ", .{ number, tag, stamps.micros() });
            piece[piece_bytes - 1] = '\n';
            // A write waits until the connection can take it.
            try body.writer.writeAll(&piece);
        }
        try body.end();
    }
};
