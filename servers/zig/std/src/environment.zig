//! What the launcher says: environment variables. What is missing or wrong is logged.

const std = @import("std");

/// The text that the variable `name` holds, which must be set.
pub fn text(name: []const u8) error{Misconfigured}![]const u8 {
    const value = std.posix.getenv(name) orelse "";
    if (value.len > 0) return value;
    std.log.err("the environment variable {s} is not set", .{name});
    return error.Misconfigured;
}

/// The number that the variable `name` holds, which must be set.
pub fn number(comptime T: type, name: []const u8) error{Misconfigured}!T {
    const value = try text(name);
    return std.fmt.parseInt(T, value, 10) catch {
        std.log.err("{s} is '{s}': set it to a number up to {d}", .{ name, value, std.math.maxInt(T) });
        return error.Misconfigured;
    };
}
