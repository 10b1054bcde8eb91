const std = @import("std");
const Exchange = @import("../exchange.zig").Exchange;

const Numbers = struct {
    @"Test Number 1": u16,
    @"Test Number 2": u16,
    @"Test Number 3": u16,
    @"Test Number 4": u16,
    @"Test Number 5": u16,
    @"Test Number 6": u16,
    @"Test Number 7": u16,
    @"Test Number 8": u16,
    @"Test Number 9": u16,
    @"Test Number 10": u16,

    fn draw() Numbers {
        var numbers: Numbers = undefined;
        inline for (std.meta.fields(Numbers)) |field| {
            @field(numbers, field.name) = std.crypto.random.uintAtMost(u16, 1000);
        }
        return numbers;
    }
};

pub const Json = struct {
    pub fn load(_: std.mem.Allocator) !Json {
        return .{};
    }

    pub fn answer(_: *const Json, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/json")) return exchange.notFound();
        const text = try std.json.Stringify.valueAlloc(exchange.arena, Numbers.draw(), .{});
        try exchange.send("application/json", text);
    }
};
