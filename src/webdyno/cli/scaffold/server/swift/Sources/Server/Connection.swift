import Dispatch
import Foundation

struct Request {
    let method: String
    let target: String
    /// By their names in lower case.
    let headers: [String: String]
    let body: Data
    let keepAlive: Bool

    var path: Substring { target.prefix { $0 != "?" } }
}

struct Response {
    var status = "200 OK"
    var type = "text/plain; charset=utf-8"
    let body: Data

    static func text(_ text: String, status: String = "200 OK") -> Response {
        Response(status: status, body: Data(text.utf8))
    }
}

/// One client. Its thread answers one request after the other, on a blocking socket.
struct Connection {
    /// Longer than clients and proxies keep idle connections, so that they close first.
    private static let idleSeconds = 75
    private static let longestHead = 16 << 10
    private static let longestBody = 1 << 20
    private static let endOfHead = Data("\r\n\r\n".utf8)

    /// Why a request is not read.
    private enum Unread: Error {
        /// The client ended the connection, or was silent for too long.
        case gone
        case refused(status: String)
    }

    private let client: Int32
    private var chunk = [UInt8](repeating: 0, count: 16 << 10)
    /// What was received and belongs to the next requests.
    private var input = Data()

    init(_ client: Int32) {
        self.client = client
        setOption(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: client, to: Int32(1))
        let idle = timeval(tv_sec: Self.idleSeconds, tv_usec: 0)
        setOption(SO_RCVTIMEO, of: client, to: idle)
        setOption(SO_SNDTIMEO, of: client, to: idle)
    }

    /// Answers requests until either side ends the connection.
    mutating func converse(with app: App, _ inFlight: DispatchGroup) {
        defer { close(client) }
        var open = true
        while open {
            do {
                let request = try nextRequest()
                inFlight.enter()
                defer { inFlight.leave() }
                open = write(answer(request, app), to: request) && request.keepAlive
            } catch Unread.refused(let status) {
                _ = write(.text(status, status: status), to: nil)
                open = false
            } catch {
                open = false
            }
        }
    }

    private func answer(_ request: Request, _ app: App) -> Response {
        do {
            return try app(request)
        } catch {
            report("a request could not be answered: \(error)")
            return .text("Internal Server Error", status: "500 Internal Server Error")
        }
    }

    private mutating func nextRequest() throws -> Request {
        let malformed = Unread.refused(status: "400 Bad Request")
        let lines = try nextHead().split(separator: "\r\n", omittingEmptySubsequences: false)
        let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard start.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(start[2]) else { throw malformed }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2, !field[0].isEmpty, !field[0].contains(where: \.isWhitespace),
                !field[1].contains(where: \.isNewline)
            else { throw malformed }
            let name = field[0].lowercased()
            let value = field[1].trimmingCharacters(in: .whitespaces)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        guard headers["transfer-encoding"] == nil else {
            throw Unread.refused(status: "411 Length Required")
        }
        let announced = headers["content-length"] ?? "0"
        guard announced.allSatisfy(\.isNumber), let length = Int(announced) else { throw malformed }
        let closes = headers["connection"]?.lowercased().contains("close") ?? false
        return Request(
            method: String(start[0]), target: String(start[1]), headers: headers,
            body: try nextBody(length), keepAlive: start[2] == "HTTP/1.1" && !closes)
    }

    private mutating func nextHead() throws -> String {
        while true {
            if let end = input.range(of: Self.endOfHead) {
                defer { input.removeSubrange(..<end.upperBound) }
                return String(decoding: input[..<end.lowerBound], as: UTF8.self)
            }
            guard input.count < Self.longestHead else {
                throw Unread.refused(status: "431 Request Header Fields Too Large")
            }
            try receive()
        }
    }

    private mutating func nextBody(_ length: Int) throws -> Data {
        guard length <= Self.longestBody else {
            throw Unread.refused(status: "413 Content Too Large")
        }
        while input.count < length { try receive() }
        defer { input.removeFirst(length) }
        return Data(input.prefix(length))
    }

    private mutating func receive() throws {
        let count = recv(client, &chunk, chunk.count, 0)
        guard count > 0 else { throw Unread.gone }
        input.append(contentsOf: chunk[..<count])
    }

    /// Whether the client has taken the answer to `request`; without one, the connection ends.
    private func write(_ response: Response, to request: Request?) -> Bool {
        var head = "HTTP/1.1 \(response.status)\r\nContent-Type: \(response.type)\r\n"
        head += "Content-Length: \(response.body.count)\r\n"
        if request?.keepAlive != true { head += "Connection: close\r\n" }
        var rest = Data("\(head)\r\n".utf8)
        if request?.method != "HEAD" { rest += response.body }
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
