import Zewo

/// Accepts connections on which an answer leaves whole. Zewo writes status, headers and body one by one, and
/// the kernel holds back all but the first until the client has acknowledged it.
struct OneWriteHost: Host {
    let tcp: TCPHost

    func accept(deadline: Deadline) throws -> DuplexStream {
        OneWriteStream(try tcp.accept(deadline: deadline))
    }
}

/// Keeps what is written until the next request is waited for.
final class OneWriteStream: DuplexStream {
    private let stream: DuplexStream
    private var pending: [UInt8] = []

    init(_ stream: DuplexStream) {
        self.stream = stream
    }

    func open(deadline: Deadline) throws {
        try stream.open(deadline: deadline)
    }

    func read(
        _ buffer: UnsafeMutableRawBufferPointer, deadline: Deadline
    ) throws -> UnsafeRawBufferPointer {
        try flush(deadline: deadline)
        return try stream.read(buffer, deadline: deadline)
    }

    func write(_ buffer: UnsafeRawBufferPointer, deadline: Deadline) throws {
        pending.append(contentsOf: buffer)
    }

    func close(deadline: Deadline) throws {
        try flush(deadline: deadline)
        try stream.close(deadline: deadline)
    }

    private func flush(deadline: Deadline) throws {
        guard !pending.isEmpty else { return }
        try pending.withUnsafeBytes { try stream.write($0, deadline: deadline) }
        pending.removeAll(keepingCapacity: true)
    }
}
