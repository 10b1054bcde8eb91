import Crypto
import Foundation
import Hummingbird
import NIOPosix

@Sendable func digests(_ parts: inout Parts) async throws {
    let file = URL(fileURLWithPath: try required("WEBDYNO_FILE"))
    parts.router.get("benchmark") { request, _ in
        guard let rounds = request.uri.number("n", in: 1...100_000) else {
            throw HTTPError(.badRequest, message: "n must be an integer from 1 to 100000")
        }
        // Reading blocks, and hashing takes long: neither is for the threads that tasks share.
        return try await NIOThreadPool.singleton.runIfActive {
            hexadecimal(digestChain(of: try Data(contentsOf: file), rounds: rounds))
        }
    }
}

/// The digest of the last round: the first is that of `content`, each further one that of `content`
/// followed by the digest before it.
private func digestChain(of content: Data, rounds: Int) -> SHA256.Digest {
    var digest = SHA256.hash(data: content)
    for _ in 1..<rounds {
        var hash = SHA256()
        hash.update(data: content)
        digest.withUnsafeBytes { hash.update(bufferPointer: $0) }
        digest = hash.finalize()
    }
    return digest
}

/// The bytes in lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
