const std = @import("std");
const environment = @import("../environment.zig");
const Exchange = @import("../exchange.zig").Exchange;
const Files = @import("../files.zig").Files;

pub const Static = struct {
    files: Files,

    pub fn load(_: std.mem.Allocator) !Static {
        return .{ .files = try .open(try environment.text("WEBDYNO_STATIC")) };
    }

    pub fn answer(static: *const Static, exchange: *Exchange) !void {
        try static.files.send(exchange);
    }
};
