import HTTPTypes
import Hummingbird

/// What a client asks for: the events after `last` up to `count`.
private struct Wanted {
    let count: Int
    let tag: String
    let gap: Duration
    let last: Int

    /// Reads the parameters of a request; nil where one of them is none.
    init?(_ request: Request) {
        guard let count = request.uri.number("n", in: 1...10_000), let tag = request.uri.tag,
            let gap = wholeNumber(request.uri.queryParameters["gap"] ?? "0", in: 0...1000),
            let last = wholeNumber(request.headers[.lastEventID] ?? "0", in: 0...count)
        else { return nil }
        self.count = count
        self.tag = String(tag)
        self.gap = .milliseconds(gap)
        self.last = last
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}

@Sendable func events(_ parts: inout Parts) async throws {
    parts.router.get("events") { request, _ in
        guard let wanted = Wanted(request) else {
            throw HTTPError(.badRequest, message: "n must be 1 to 10000, tag have 18 digits")
        }
        guard wanted.last < wanted.count else { return Response(status: .noContent) }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
            body: .init { writer in
                for number in (wanted.last + 1)...wanted.count {
                    if wanted.gap > .zero, number > wanted.last + 1 {
                        try await Task.sleep(for: wanted.gap)
                    }
                    // Each write is flushed, and fails once the client is gone.
                    try await writer.write(event(number, tag: wanted.tag))
                }
                try await writer.finish(nil)
            })
    }
}

/// An event; not by JSONEncoder, which keeps no order of members.
private func event(_ number: Int, tag: String) -> ByteBuffer {
    let data = "{\"number\":\(number),\"tag\":\"\(tag)\",\"made\":\(microseconds())}"
    return ByteBuffer(string: "id: \(number)\ndata: \(data)\n\n")
}
