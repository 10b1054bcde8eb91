import Foundation

/// A request without its body: no scenario here reads one, so a body is only skipped.
struct Request {
    let method: String
    /// The path, percent-decoded, without the query.
    let path: String
    let keepAlive: Bool

    var isKnownMethod: Bool { method == "GET" || method == "HEAD" }

    enum Outcome {
        case incomplete
        case malformed
        /// A request, and how many bytes of the input it took.
        case complete(Request, Int)
    }

    private static let endOfHead = Data("\r\n\r\n".utf8)
    private static let longestHead = 64 * 1024

    /// Read the request that `input` starts with.
    static func parse(_ input: Data) -> Outcome {
        guard let end = input.range(of: endOfHead) else {
            return input.count > longestHead ? .malformed : .incomplete
        }
        guard let head = String(data: input[input.startIndex..<end.lowerBound], encoding: .utf8) else {
            return .malformed
        }
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let start = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard start.count == 3, start[2] == "HTTP/1.1" || start[2] == "HTTP/1.0" else {
            return .malformed
        }
        var keepAlive = start[2] == "HTTP/1.1"
        var bodyLength = 0
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return .malformed }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "connection":
                let options = value.lowercased()
                if options.contains("close") { keepAlive = false }
                if options.contains("keep-alive") { keepAlive = true }
            case "content-length":
                guard let length = Int(value), length >= 0 else { return .malformed }
                bodyLength = length
            case "transfer-encoding":
                return .malformed  // No client of these scenarios sends a chunked body.
            default:
                break
            }
        }
        let whole = input.distance(from: input.startIndex, to: end.upperBound) + bodyLength
        guard input.count >= whole else { return .incomplete }
        let target = start[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
        guard target.hasPrefix("/"), let path = String(target).removingPercentEncoding else {
            return .malformed
        }
        return .complete(Request(method: String(start[0]), path: path, keepAlive: keepAlive), whole)
    }
}
