import Crypto
import Hummingbird

/// The length of the longest body that is taken, in bytes.
private let largest = 64 << 20

@Sendable func upload(_ parts: inout Parts) async throws {
    parts.router.post("upload") { request, _ in
        var hash = SHA256()
        var length = 0
        for try await piece in request.body {
            length += piece.readableBytes
            guard length <= largest else { throw HTTPError(.contentTooLarge) }
            piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        }
        return "sha256:\(hexadecimal(hash.finalize())) \(length)"
    }
}
