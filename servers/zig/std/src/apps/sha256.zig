const std = @import("std");
const decimal = @import("../decimal.zig");
const environment = @import("../environment.zig");
const Exchange = @import("../exchange.zig").Exchange;
const Sha256 = std.crypto.hash.sha2.Sha256;

const most_rounds = 100_000;

/// The length of the longest file that is read, in bytes.
const longest = 1 << 20;

pub const Digests = struct {
    file: []const u8,

    pub fn load(_: std.mem.Allocator) !Digests {
        return .{ .file = try environment.text("WEBDYNO_FILE") };
    }

    pub fn answer(digests: *const Digests, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/benchmark")) return exchange.notFound();
        const n = decimal.parse(try exchange.parameter("n"), 1, most_rounds) orelse {
            return exchange.refuse(.bad_request, "n must be an integer from 1 to 100000\n");
        };
        const content = std.fs.cwd().readFileAlloc(exchange.arena, digests.file, longest) catch |err| {
            return exchange.failed(err);
        };
        try exchange.sendText(&std.fmt.bytesToHex(digestChain(content, n), .lower));
    }
};

/// The `n`-th digest: the first is that of `content`, each further one that of `content` followed by
/// the digest before it.
fn digestChain(content: []const u8, n: u32) [Sha256.digest_length]u8 {
    var digest: [Sha256.digest_length]u8 = undefined;
    Sha256.hash(content, &digest, .{});
    for (1..n) |_| {
        var hash: Sha256 = .init(.{});
        hash.update(content);
        hash.update(&digest);
        hash.final(&digest);
    }
    return digest;
}
