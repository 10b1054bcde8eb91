//! A server of the standard library. Add your scenarios to `apps`.

const std = @import("std");
const posix = std.posix;
const Request = std.http.Server.Request;

/// Longer than clients and proxies keep idle connections, so that they close first.
const idle_s = 75;

/// How long requests in flight may take to end after SIGTERM, and how often they are looked at.
const grace_ms = 2000;
const pause_ms = 10;

/// More than the deepest handler takes. It is address space: memory is taken as it is touched.
const stack_bytes = 1 << 20;

/// Sends the answer to one request.
const App = *const fn (*Request) anyerror!void;

const apps: std.StaticStringMap(App) = .initComptime(.{.{ "hello", hello }});

fn hello(request: *Request) anyerror!void {
    const head = &request.head;
    const path = std.mem.sliceTo(head.target, '?');
    const found = head.method == .GET and std.mem.eql(u8, path, "/hello");
    try request.respond(if (found) "Hello World" else "Not Found", .{
        .status = if (found) .ok else .not_found,
        .extra_headers = &.{.{ .name = "content-type", .value = "text/plain; charset=utf-8" }},
    });
}

pub fn main() !u8 {
    const scenario = posix.getenv("WEBDYNO_SCENARIO") orelse "";
    const app = apps.get(scenario) orelse {
        std.debug.print("WEBDYNO_SCENARIO is '{s}'; one of:", .{scenario});
        for (apps.keys()) |known| std.debug.print(" {s}", .{known});
        std.debug.print("\n", .{});
        return 2;
    };
    const port = try std.fmt.parseInt(u16, posix.getenv("PORT") orelse "", 10);
    const address = try std.net.Address.parseIp(posix.getenv("HOST") orelse "127.0.0.1", port);
    try serve(app, address);
    return 0;
}

/// Requests that are being answered.
var in_flight: std.atomic.Value(usize) = .init(0);

/// Answers requests at `address` until SIGTERM, then lets those in flight end.
fn serve(app: App, address: std.net.Address) !void {
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
            // Such as for want of descriptors.
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

fn accept(app: App, listener: *std.net.Server) !void {
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
fn converse(app: App, stream: std.net.Stream) void {
    defer stream.close();
    var head: [16 << 10]u8 = undefined;
    var answer: [16 << 10]u8 = undefined;
    var reader = stream.reader(&head);
    var writer = stream.writer(&answer);
    var server: std.http.Server = .init(reader.interface(), &writer.interface);
    while (server.reader.state == .ready) {
        var request = server.receiveHead() catch return;
        _ = in_flight.fetchAdd(1, .acquire);
        defer _ = in_flight.fetchSub(1, .release);
        if (!bodyFits(&request)) return;
        // The client went away, or half of an answer is out already: there is nothing to say.
        app(&request) catch return;
    }
}

/// Whether the request has a body exactly where its method has one; the standard library asserts it.
fn bodyFits(request: *Request) bool {
    const head = &request.head;
    const announced = head.transfer_encoding != .none or head.content_length != null;
    if (head.method.requestHasBody()) {
        if (!announced) head.content_length = 0;
        return true;
    }
    return head.transfer_encoding == .none and (head.content_length orelse 0) == 0;
}

var stop_writer: posix.fd_t = undefined;

/// A descriptor that can be read from once SIGTERM has come.
fn stopPipe() !posix.fd_t {
    const ends = try posix.pipe2(.{ .CLOEXEC = true });
    stop_writer = ends[1];
    const action: posix.Sigaction = .{
        .handler = .{ .handler = onSignal },
        .mask = posix.sigemptyset(),
        .flags = 0,
    };
    posix.sigaction(posix.SIG.TERM, &action, null);
    return ends[0];
}

fn onSignal(_: c_int) callconv(.c) void {
    _ = posix.write(stop_writer, "s") catch {};
}
