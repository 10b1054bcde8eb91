const std = @import("std");
const Exchange = @import("../exchange.zig").Exchange;

pub const Hello = struct {
    pub fn load(_: std.mem.Allocator) !Hello {
        return .{};
    }

    pub fn answer(_: *const Hello, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/hello")) return exchange.notFound();
        try exchange.sendText("Hello World");
    }
};
