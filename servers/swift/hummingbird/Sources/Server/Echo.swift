import Hummingbird
import HummingbirdWebSocket

/// The length of the longest message that is taken, in bytes.
private let longest = 65536

@Sendable func echo(_ parts: inout Parts) async throws {
    let sockets = Router(context: BasicWebSocketRequestContext.self)
    sockets.ws("ws") { inbound, outbound, _ in
        for try await message in inbound.messages(maxSize: longest) {
            switch message {
            case .text(let text): try await outbound.write(.text(text))
            case .binary(let bytes): try await outbound.write(.binary(bytes))
            }
        }
    }
    parts.server = .http1WebSocketUpgrade(
        webSocketRouter: sockets,
        // By default it sends a ping of its own accord every thirty seconds.
        configuration: .init(ws: .init(maxFrameSize: longest, autoPing: .disabled)))
    // Reached without an upgrade alone.
    parts.router.get("ws") { _, _ -> Response in
        throw HTTPError(.upgradeRequired, headers: [.upgrade: "websocket"])
    }
}
