//! Listening, a thread for each connection, and an orderly end.

const std = @import("std");
const App = @import("app.zig").App;
const Exchange = @import("exchange.zig").Exchange;
const posix = std.posix;

/// Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
/// meets a connection that is just being closed.
const idle_s = 75;

/// How long requests in flight may take to end after SIGTERM.
const grace_ms = 2000;

/// How long to wait after a connection could not be taken, such as for want of descriptors.
const pause_ms = 10;

/// The longest head of a request, and what is gathered of an answer before it leaves, in bytes.
const head_bytes = 16 << 10;
const answer_bytes = 16 << 10;

/// More than the deepest handler takes. It is address space: memory is taken as it is touched.
const stack_bytes = 1 << 20;

/// Requests that are being answered.
var in_flight: std.atomic.Value(usize) = .init(0);

/// Answers requests at `address` until SIGTERM or SIGINT, then lets those in flight end.
pub fn serve(app: *const App, address: std.net.Address) !void {
    const stopped = try stopPipe();
    var listener = try address.listen(.{
        .kernel_backlog = 1024,
        .reuse_address = true,
        .force_nonblocking = true,
    });
    var polled = [_]posix.pollfd{
        .{ .fd = listener.stream.handle, .events = posix.POLL.IN, .revents = 0 },
        .{ .fd = stopped, .events = posix.POLL.IN, .revents = 0 },
    };
    while (true) {
        _ = try posix.poll(&polled, -1);
        if (polled[1].revents != 0) break;
        accept(app, &listener) catch |err| {
            std.log.err("a connection could not be taken: {t}", .{err});
            std.Thread.sleep(pause_ms * std.time.ns_per_ms);
        };
    }
    listener.deinit();
    var waited_ms: usize = 0;
    while (in_flight.load(.acquire) > 0 and waited_ms < grace_ms) : (waited_ms += pause_ms) {
        std.Thread.sleep(pause_ms * std.time.ns_per_ms);
    }
}

fn accept(app: *const App, listener: *std.net.Server) !void {
    const connection = listener.accept() catch |err| switch (err) {
        // The client has gone before it was its turn.
        error.WouldBlock, error.ConnectionAborted => return,
        else => return err,
    };
    errdefer connection.stream.close();
    const socket = connection.stream.handle;
    const yes: c_int = 1;
    try posix.setsockopt(socket, posix.IPPROTO.TCP, posix.TCP.NODELAY, std.mem.asBytes(&yes));
    const idle: posix.timeval = .{ .sec = idle_s, .usec = 0 };
    try posix.setsockopt(socket, posix.SOL.SOCKET, posix.SO.RCVTIMEO, std.mem.asBytes(&idle));
    const thread = try std.Thread.spawn(.{ .stack_size = stack_bytes }, converse, .{ app, connection.stream });
    thread.detach();
}

/// Answers one request after the other until either side ends the connection.
fn converse(app: *const App, stream: std.net.Stream) void {
    defer stream.close();
    var head: [head_bytes]u8 = undefined;
    var answer: [answer_bytes]u8 = undefined;
    var reader = stream.reader(&head);
    var writer = stream.writer(&answer);
    var server: std.http.Server = .init(reader.interface(), &writer.interface);
    var arena: std.heap.ArenaAllocator = .init(std.heap.smp_allocator);
    defer arena.deinit();

    while (server.reader.state == .ready) {
        var request = server.receiveHead() catch |err| switch (err) {
            error.HttpHeadersInvalid => return refuse(&writer.interface, .bad_request),
            error.HttpHeadersOversize => return refuse(&writer.interface, .request_header_fields_too_large),
            else => return,
        };
        _ = in_flight.fetchAdd(1, .acquire);
        defer _ = in_flight.fetchSub(1, .release);
        if (!bodyFits(&request)) return refuse(&writer.interface, .bad_request);
        var exchange: Exchange = .{
            .request = &request,
            .socket = stream.handle,
            .arena = arena.allocator(),
        };
        // The client went away, or half of an answer is out already: there is nothing to say.
        app.answer(&exchange) catch return;
        _ = arena.reset(.{ .retain_with_limit = 64 << 10 });
    }
}

/// Whether the request has a body exactly where its method has one; the standard library asserts it.
fn bodyFits(request: *std.http.Server.Request) bool {
    const head = &request.head;
    const announced = head.transfer_encoding != .none or head.content_length != null;
    if (head.method.requestHasBody()) {
        if (!announced) head.content_length = 0;
        return true;
    }
    return head.transfer_encoding == .none and (head.content_length orelse 0) == 0;
}

/// The last answer of a connection, to what is no request.
fn refuse(out: *std.Io.Writer, status: std.http.Status) void {
    out.print("HTTP/1.1 {d} {s}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n", .{
        @intFromEnum(status), status.phrase().?,
    }) catch return;
    out.flush() catch return;
}

var stop_writer: posix.fd_t = undefined;

/// A descriptor that can be read from once SIGTERM or SIGINT has come.
fn stopPipe() !posix.fd_t {
    const ends = try posix.pipe2(.{ .CLOEXEC = true });
    stop_writer = ends[1];
    const action: posix.Sigaction = .{
        .handler = .{ .handler = onSignal },
        .mask = posix.sigemptyset(),
        .flags = 0,
    };
    posix.sigaction(posix.SIG.TERM, &action, null);
    posix.sigaction(posix.SIG.INT, &action, null);
    return ends[0];
}

fn onSignal(_: c_int) callconv(.c) void {
    _ = posix.write(stop_writer, "s") catch {};
}
