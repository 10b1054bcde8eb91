const std = @import("std");
const environment = @import("../environment.zig");
const Exchange = @import("../exchange.zig").Exchange;
const Files = @import("../files.zig").Files;
const page = @import("../blog_page.zig");

/// The length of the longest posts.json and images.json, in bytes.
const longest = 64 << 20;

pub const Blog = struct {
    posts: []const page.Post,
    images: []const page.Image,
    files: Files,

    pub fn load(allocator: std.mem.Allocator) !Blog {
        const data = try std.fs.cwd().openDir(try environment.text("WEBDYNO_BLOG_DATA"), .{});
        const blog: Blog = .{
            .posts = try readJson([]page.Post, allocator, data, "posts.json"),
            .images = try readJson([]page.Image, allocator, data, "images.json"),
            .files = .{ .folder = try data.openDir("static", .{}) },
        };
        if (blog.posts.len < page.posts or blog.images.len == 0) return error.TooFewPostsOrImages;
        return blog;
    }

    pub fn answer(blog: *const Blog, exchange: *Exchange) !void {
        if (!exchange.is(.GET, "/blog")) return blog.files.send(exchange);
        var html: std.Io.Writer.Allocating = try .initCapacity(exchange.arena, 16 << 10);
        try page.write(&html.writer, &blog.draw());
        try exchange.send("text/html; charset=utf-8", html.written());
    }

    /// Draws different posts, each with an image drawn on its own.
    fn draw(blog: *const Blog) [page.posts]page.Entry {
        const random = std.crypto.random;
        var drawn: [page.posts]usize = undefined;
        var entries: [page.posts]page.Entry = undefined;
        for (&entries, 0..) |*entry, count| {
            var index = random.uintLessThan(usize, blog.posts.len);
            while (std.mem.indexOfScalar(usize, drawn[0..count], index) != null) {
                index = random.uintLessThan(usize, blog.posts.len);
            }
            drawn[count] = index;
            const image = blog.images[random.uintLessThan(usize, blog.images.len)];
            entry.* = .{ .post = blog.posts[index], .image = image };
        }
        return entries;
    }
};

fn readJson(comptime T: type, allocator: std.mem.Allocator, folder: std.fs.Dir, name: []const u8) !T {
    const text = try folder.readFileAlloc(allocator, name, longest);
    return std.json.parseFromSliceLeaky(T, allocator, text, .{ .ignore_unknown_fields = true });
}
