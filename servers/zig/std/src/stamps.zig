//! What the parts of an answer are stamped with: the request's tag, and the time of their making.

const std = @import("std");
const decimal = @import("decimal.zig");

const tag_digits = 18;

pub fn isTag(text: []const u8) bool {
    return decimal.isDigits(text) and text.len == tag_digits;
}

/// The time in microseconds since 1970.
pub fn micros() u64 {
    return @intCast(std.time.microTimestamp());
}
