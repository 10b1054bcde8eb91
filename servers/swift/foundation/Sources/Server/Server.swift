import Dispatch
import Foundation

/// What a scenario answers to a request.
protocol App {
    func respond(to request: Request) -> Response
}

struct SocketError: Error, CustomStringConvertible {
    let call: String
    let code = errno
    var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Accepts connections on `$HOST` and keeps them until they close or the server stops.
final class Server {
    private let listener: Int32
    private let app: App
    private let queue = DispatchQueue(label: "server")
    private var source: DispatchSourceRead?
    private var connections: [Int32: Connection] = [:]
    private var whenEmpty: (() -> Void)?

    init(port: UInt16, app: App) throws {
        self.app = app
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw SocketError(call: "socket") }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(environment["HOST"] ?? "127.0.0.1")
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0 else { throw SocketError(call: "bind to port \(port)") }
        guard listen(listener, SOMAXCONN) == 0 else { throw SocketError(call: "listen") }
        setNonBlocking(listener)
    }

    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        source.setEventHandler { [unowned self] in acceptAll() }
        source.resume()
        self.source = source
    }

    /// Accept no more, let requests in flight end for two seconds, then call `finished`.
    func stop(finished: @escaping () -> Void) {
        queue.async { [self] in
            guard whenEmpty == nil else { return }
            source?.cancel()
            close(listener)
            whenEmpty = finished
            connections.values.forEach { $0.finish() }
            if connections.isEmpty { return finished() }
            queue.asyncAfter(deadline: .now() + .seconds(2), execute: finished)
        }
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 { return }
            setNonBlocking(client)
            var yes: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            connections[client] = Connection(client, app: app) { [unowned self] in
                queue.async { self.forget(client) }
            }
        }
    }

    private func forget(_ client: Int32) {
        connections[client] = nil
        close(client)
        if connections.isEmpty { whenEmpty?() }
    }
}

func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}
