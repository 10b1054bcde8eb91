//! The application of a scenario. A process loads its own only.

const std = @import("std");
const Exchange = @import("exchange.zig").Exchange;

/// One application for each scenario, by its name.
///
/// Each has `load`, which reads what it needs once, and `answer`, which sends the answer to one request.
pub const App = union(enum) {
    blog: @import("apps/blog.zig").Blog,
    hello: @import("apps/hello.zig").Hello,
    json: @import("apps/json.zig").Json,
    sha256: @import("apps/sha256.zig").Digests,
    sse: @import("apps/sse.zig").Events,
    static: @import("apps/static.zig").Static,
    stream: @import("apps/stream.zig").Pieces,
    upload: @import("apps/upload.zig").Upload,

    /// The application of `scenario`. `error.Misconfigured` where it was logged what is wrong.
    pub fn load(allocator: std.mem.Allocator, scenario: []const u8) !App {
        const known = std.meta.stringToEnum(std.meta.Tag(App), scenario) orelse {
            std.log.err("unknown WEBDYNO_SCENARIO '{s}': set it to one of {s}", .{ scenario, names });
            return error.Misconfigured;
        };
        switch (known) {
            inline else => |tag| {
                const Loaded = @FieldType(App, @tagName(tag));
                return @unionInit(App, @tagName(tag), try Loaded.load(allocator));
            },
        }
    }

    /// Sends the answer to one request.
    pub fn answer(app: *const App, exchange: *Exchange) !void {
        switch (app.*) {
            inline else => |*loaded| try loaded.answer(exchange),
        }
    }

    const names = blk: {
        var joined: []const u8 = "";
        for (std.meta.fieldNames(App)) |name| {
            joined = joined ++ (if (joined.len > 0) ", " else "") ++ name;
        }
        break :blk joined;
    };
};
