import Foundation
import HTTPTypes
import Hummingbird

private struct Event: Encodable {
    let number: Int
    let tag: String
    let made: Int
}

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
                let encoder = JSONEncoder()
                for number in (wanted.last + 1)...wanted.count {
                    if wanted.gap > .zero, number > wanted.last + 1 {
                        try await Task.sleep(for: wanted.gap)
                    }
                    let event = Event(number: number, tag: wanted.tag, made: microseconds())
                    var buffer = ByteBuffer(string: "id: \(number)\ndata: ")
                    buffer.writeBytes(try encoder.encode(event))
                    buffer.writeString("\n\n")
                    // Each write is flushed, and fails once the client is gone.
                    try await writer.write(buffer)
                }
                try await writer.finish(nil)
            })
    }
}
