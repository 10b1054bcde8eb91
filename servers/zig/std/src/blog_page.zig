//! The page of the blog, written text by text: the standard library has no template engine.

const std = @import("std");
const Writer = std.Io.Writer;

/// How many posts a page has.
pub const posts = 5;

pub const Post = struct { title: []const u8, paragraphs: []const []const u8 };
pub const Image = struct { file: []const u8, alt: []const u8 };
pub const Entry = struct { post: Post, image: Image };

const before =
    \\<!DOCTYPE html>
    \\<html lang="en">
    \\<head><meta charset="utf-8"><title>The Dynamometer Blog</title><link rel="stylesheet" href="/css/style.css"></head>
    \\<body>
    \\<header class="site-header"><h1>The Dynamometer Blog</h1><nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>
    \\<main>
    \\
;

const after =
    \\</main>
    \\<footer class="site-footer"><p>Made for measuring: five posts, drawn at random for each request.</p></footer>
    \\</body>
    \\</html>
    \\
;

/// Writes the page with `entries`.
pub fn write(html: *Writer, entries: []const Entry) Writer.Error!void {
    try html.writeAll(before);
    for (entries) |entry| {
        try html.writeAll("<article class=\"post\">");
        try html.print("<h2>{f}</h2>", .{escaped(entry.post.title)});
        const image = entry.image;
        try html.print("<img src=\"/images/{f}\" alt=\"{f}\">\n", .{ escaped(image.file), escaped(image.alt) });
        for (entry.post.paragraphs) |paragraph| {
            try html.print("<p>{f}</p>\n", .{escaped(paragraph)});
        }
        try html.writeAll("</article>\n");
    }
    try html.writeAll(after);
}

/// `text` as HTML that shows it, for the format {f}.
fn escaped(text: []const u8) std.fmt.Alt([]const u8, writeEscaped) {
    return .{ .data = text };
}

fn writeEscaped(text: []const u8, html: *Writer) Writer.Error!void {
    var rest = text;
    while (std.mem.indexOfAny(u8, rest, "&<>\"'")) |index| {
        try html.writeAll(rest[0..index]);
        try html.writeAll(switch (rest[index]) {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            else => "&#39;",
        });
        rest = rest[index + 1 ..];
    }
    try html.writeAll(rest);
}
