// A server on what every Swift toolchain brings: sockets, Dispatch and Foundation.
// Add your scenarios to `apps`.
import Dispatch
import Foundation

/// Makes the answer to one request. An error is logged, and answered with 500.
typealias App = @Sendable (Request) throws -> Response

@Sendable func hello(_ request: Request) -> Response {
    let found = request.method == "GET" && request.path == "/hello"
    return found ? .text("Hello World") : .text("Not Found", status: "404 Not Found")
}

@main
enum Server {
    static let apps: [String: App] = ["hello": hello]

    /// How long requests in flight may take to end after SIGTERM.
    static let grace = DispatchTimeInterval.seconds(2)

    static func main() {
        let environment = ProcessInfo.processInfo.environment
        let scenario = environment["WEBDYNO_SCENARIO"] ?? ""
        guard let app = apps[scenario] else {
            let known = apps.keys.sorted().joined(separator: ", ")
            report("WEBDYNO_SCENARIO is '\(scenario)'; one of: \(known)")
            exit(2)
        }
        let host = environment["HOST"] ?? "127.0.0.1"
        let port = environment["PORT"] ?? ""
        guard let listener = listening(at: host, port: port) else {
            report("cannot listen at \(host), port '\(port)': \(String(cString: strerror(errno)))")
            exit(1)
        }
        serve(app, at: listener)
    }

    /// A socket that listens at `host`, an IPv4 address; nil, with the reason in errno, where there
    /// can be none.
    static func listening(at host: String, port: String) -> Int32? {
        var address = sockaddr_in()
        guard let number = UInt16(port), inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            errno = EINVAL
            return nil
        }
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { return nil }
        setOption(SO_REUSEADDR, of: listener, to: Int32(1))
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Not blocking, as a client may have gone before it is accepted.
        guard bound == 0, fcntl(listener, F_SETFL, O_NONBLOCK) == 0,
            listen(listener, SOMAXCONN) == 0
        else { return nil }
        return listener
    }

    /// Answers requests until SIGTERM, then lets those in flight end.
    static func serve(_ app: @escaping App, at listener: Int32) -> Never {
        // A client that went away is an error of send(), not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let inFlight = DispatchGroup()
        let clients = DispatchSource.makeReadSource(fileDescriptor: listener, queue: .main)
        clients.setEventHandler {
            let client = accept(listener, nil, nil)
            if client >= 0 {
                Thread.detachNewThread {
                    var connection = Connection(client)
                    connection.converse(with: app, inFlight)
                }
            } else if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) {
                // Such as for want of descriptors.
                report("a connection could not be taken: \(String(cString: strerror(errno)))")
                usleep(10_000)
            }
        }
        clients.setCancelHandler { close(listener) }
        clients.resume()

        signal(SIGTERM, SIG_IGN)
        let terminated = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
        terminated.setEventHandler {
            clients.cancel()
            inFlight.notify(queue: .main) { exit(0) }
            DispatchQueue.main.asyncAfter(deadline: .now() + grace) { exit(0) }
        }
        terminated.resume()
        withExtendedLifetime(terminated) { dispatchMain() }
    }
}

func setOption<Value>(
    _ name: Int32, at level: Int32 = SOL_SOCKET, of socket: Int32, to value: Value
) {
    _ = withUnsafeBytes(of: value) {
        setsockopt(socket, level, name, $0.baseAddress, socklen_t($0.count))
    }
}

func report(_ problem: String) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
}
