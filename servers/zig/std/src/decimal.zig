//! Whole numbers in decimal digits alone; the standard library also takes signs and underscores.

const std = @import("std");

pub fn isDigits(text: []const u8) bool {
    for (text) |byte| {
        if (!std.ascii.isDigit(byte)) return false;
    }
    return text.len > 0;
}

/// The number that `text` holds; null where it holds none, or one outside of `least` to `most`.
pub fn parse(text: []const u8, least: u32, most: u32) ?u32 {
    if (!isDigits(text)) return null;
    const number = std.fmt.parseInt(u32, text, 10) catch return null;
    return if (number >= least and number <= most) number else null;
}
