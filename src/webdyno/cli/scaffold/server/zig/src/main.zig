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

/// What one request is answered.
const Answer = struct {
    status: std.http.Status = .ok,
    kind: []const u8 = "text/plain; charset=utf-8",
    content: []const u8,
};

/// Makes the answer to one request. What it allocates is freed once the answer is sent; an error is
/// logged, and answered with 500.
const App = *const fn (std.mem.Allocator, *Request) anyerror!Answer;

const apps: std.StaticStringMap(App) = .initComptime(.{.{ "hello", hello }});

fn hello(_: std.mem.Allocator, request: *Request) anyerror!Answer {
    const head = &request.head;
    const path = std.mem.sliceTo(head.target, '?');
    const found = head.method == .GET and std.mem.eql(u8, path, "/hello");
    return if (found) .{ .content = "Hello World" } else .{ .status = .not_found, .content = "Not Found" };
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
    var arena: std.heap.ArenaAllocator = .init(std.heap.smp_allocator);
    defer arena.deinit();
    while (server.reader.state == .ready) {
        var request = server.receiveHead() catch return;
        _ = in_flight.fetchAdd(1, .acquire);
        defer _ = in_flight.fetchSub(1, .release);
        if (!bodyFits(&request)) return;
        if (app(arena.allocator(), &request)) |made| {
            // The client went away: there is nothing to say.
            send(&request, made, true) catch return;
        } else |err| {
            std.log.err("a request could not be answered: {t}", .{err});
            const failed: Answer = .{ .status = .internal_server_error, .content = "Internal Server Error" };
            // Where a body is read in part, what follows is no request.
            const between = server.reader.state == .received_head or server.reader.state == .ready;
            send(&request, failed, between) catch return;
        }
        _ = arena.reset(.{ .retain_with_limit = 64 << 10 });
    }
}

fn send(request: *Request, made: Answer, keep_alive: bool) !void {
    try request.respond(made.content, .{
        .status = made.status,
        .keep_alive = keep_alive,
        .extra_headers = &.{.{ .name = "content-type", .value = made.kind }},
    });
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
