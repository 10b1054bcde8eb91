const std = @import("std");
const Exchange = @import("../exchange.zig").Exchange;
const Sha256 = std.crypto.hash.sha2.Sha256;

/// The length of the longest body that is taken, in bytes.
const largest = 64 << 20;

pub const Upload = struct {
    pub fn load(_: std.mem.Allocator) !Upload {
        return .{};
    }

    /// Hashes the body piece by piece, as it arrives.
    pub fn answer(_: *const Upload, exchange: *Exchange) !void {
        if (!exchange.is(.POST, "/upload")) return exchange.notFound();
        if ((exchange.request.head.content_length orelse 0) > largest) return tooLarge(exchange);
        const body = try exchange.request.readerExpectContinue(&.{});
        var piece: [64 << 10]u8 = undefined;
        var hash: Sha256 = .init(.{});
        var length: usize = 0;
        while (true) {
            const read = try body.readSliceShort(&piece);
            length += read;
            if (length > largest) return tooLarge(exchange);
            hash.update(piece[0..read]);
            if (read < piece.len) break;
        }
        const digest = std.fmt.bytesToHex(hash.finalResult(), .lower);
        try exchange.sendText(try std.fmt.allocPrint(exchange.arena, "sha256:{s} {d}", .{ digest, length }));
    }
};

/// Ends the connection, for the rest of the body is not read.
fn tooLarge(exchange: *Exchange) !void {
    try exchange.request.respond("a body may have 64 MiB\n", .{
        .status = .payload_too_large,
        .keep_alive = false,
    });
    return error.TooLarge;
}
