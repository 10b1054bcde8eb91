import Foundation
import Hummingbird

private let pieceBytes = 4096

@Sendable func stream(_ parts: inout Parts) async throws {
    parts.router.get("stream") { request, _ in
        guard let count = request.uri.number("n", in: 1...65536), let tag = request.uri.tag else {
            throw HTTPError(.badRequest, message: "n must be 1 to 65536, tag have 18 digits")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init { writer in
                // A write waits until the connection can take more.
                for number in 0..<count {
                    try await writer.write(piece(number, tag: tag))
                }
                try await writer.finish(nil)
            })
    }
}

private func piece(_ number: Int, tag: Substring) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(pieceBytes)
    buffer.writeString("\(padded(number, to: 10)) \(tag) \(padded(microseconds(), to: 16)) ")
    buffer.writeRepeatingByte(UInt8(ascii: "."), count: pieceBytes - 1 - buffer.readableBytes)
    buffer.writeInteger(UInt8(ascii: "\n"))
    return buffer
}

private func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: digits - text.utf8.count) + text
}

/// The time, in microseconds since 1970.
func microseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
}
