const std = @import("std");
const Exchange = @import("../exchange.zig").Exchange;

const piece_bytes = 4096;
const most_pieces = 65_536;
const tag_digits = 18;

pub const Pieces = struct {
    pub fn load(_: std.mem.Allocator) !Pieces {
        return .{};
    }

    pub fn answer(_: *const Pieces, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/stream")) return exchange.notFound();
        const n = try exchange.parameter("n");
        const tag = try exchange.parameter("tag");
        const count = std.fmt.parseInt(u32, n, 10) catch 0;
        if (!isDigits(n) or count < 1 or count > most_pieces or !isDigits(tag) or tag.len != tag_digits) {
            return exchange.refuse(.bad_request, "n must be 1 to 65536, tag have 18 digits\n");
        }
        // Each piece leaves as a chunk of its own, through the connection's buffer.
        var body = try exchange.request.respondStreaming(&.{}, .{ .respond_options = .{
            .extra_headers = &.{.{ .name = "content-type", .value = "text/plain; charset=utf-8" }},
        } });
        for (0..count) |number| {
            var piece: [piece_bytes]u8 = @splat('.');
            const now: u64 = @intCast(std.time.microTimestamp());
            _ = try std.fmt.bufPrint(&piece, "{d:0>10} {s} {d:0>16} ", .{ number, tag, now });
            piece[piece_bytes - 1] = '\n';
            // A write waits until the connection can take it.
            try body.writer.writeAll(&piece);
        }
        try body.end();
    }
};

fn isDigits(text: []const u8) bool {
    for (text) |byte| {
        if (!std.ascii.isDigit(byte)) return false;
    }
    return text.len > 0;
}
