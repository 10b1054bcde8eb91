import Foundation
import Hummingbird
import HummingbirdCore
import Logging

/// What a scenario adds to the application.
struct Parts {
    let router = Router()
    var server = HTTPServerBuilder.http1()
}

/// Mounts the routes of one scenario, so that a process loads its own only.
let scenarios: [String: @Sendable (inout Parts) async throws -> Void] = [
    "hello": hello,
    "json": numbers,
    "blog": blog,
    "static": staticFiles,
    "sha256": digests,
    "middleware": countedMiddlewares,
    "upload": upload,
    "stream": stream,
    "sse": events,
    "websocket-echo": echo,
]

@main
enum Server {
    static func main() async throws {
        do {
            try await serve()
        } catch let refusal as Refusal {
            FileHandle.standardError.write(Data("server: \(refusal)\n".utf8))
            exit(2)
        }
    }

    static func serve() async throws {
        let scenario = Environment().get("WEBDYNO_SCENARIO") ?? ""
        guard let mount = scenarios[scenario] else {
            let known = scenarios.keys.sorted().joined(separator: ", ")
            throw Refusal(
                description: "unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
        }
        guard let port = Int(try required("PORT")) else {
            throw Refusal(description: "PORT is not a number")
        }

        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "server")
        logger.logLevel = .notice
        var parts = Parts()
        try await mount(&parts)
        let app = Application(
            router: parts.router,
            server: parts.server,
            configuration: .init(
                address: .hostname(Environment().get("HOST") ?? "127.0.0.1", port: port)),
            logger: logger)
        try await app.runService()
    }
}
