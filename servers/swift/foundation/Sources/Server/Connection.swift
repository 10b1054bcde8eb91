import Dispatch
import Foundation

/// One client: requests are read, answered and written on a serial queue of its own, which
/// Dispatch runs on as many threads as there are cores.
final class Connection {
    private let descriptor: Int32
    private let app: App
    private let queue: DispatchQueue
    private let reader: DispatchSourceRead
    private var writer: DispatchSourceWrite?
    private var input = Data()
    private var output = Data()
    private var closing = false

    init(_ descriptor: Int32, app: App, closed: @escaping () -> Void) {
        self.descriptor = descriptor
        self.app = app
        queue = DispatchQueue(label: "connection")
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reader.setEventHandler { [unowned self] in readable() }
        reader.setCancelHandler(handler: closed)
        reader.resume()
    }

    /// Close as soon as what has been asked is answered.
    func finish() {
        queue.async { [self] in
            closing = true
            if output.isEmpty { end() }
        }
    }

    private func readable() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        guard count > 0 else { return end() }
        input.append(contentsOf: buffer[..<count])
        answer()
        flush()
    }

    /// Answer every request that has arrived whole, in order: clients may pipeline.
    private func answer() {
        while !closing {
            switch Request.parse(input) {
            case .incomplete:
                return
            case .malformed:
                output.append(Response.badRequest.encoded(keepAlive: false, head: false))
                closing = true
            case let .complete(request, length):
                input = Data(input.dropFirst(length))
                let response = request.isKnownMethod ? app.respond(to: request) : .methodNotAllowed
                output.append(
                    response.encoded(keepAlive: request.keepAlive, head: request.method == "HEAD"))
                closing = !request.keepAlive
            }
        }
    }

    private func flush() {
        while !output.isEmpty {
            let count = output.withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { return waitUntilWritable() }
                return end()
            }
            output = count == output.count ? Data() : Data(output.dropFirst(count))
        }
        if closing { end() }
    }

    private func waitUntilWritable() {
        guard writer == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [unowned self] in
            writer?.cancel()
            writer = nil
            flush()
        }
        source.resume()
        writer = source
    }

    private func end() {
        writer?.cancel()
        writer = nil
        reader.cancel()
    }
}
