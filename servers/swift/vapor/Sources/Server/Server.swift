import Vapor

/// Mounts the routes of one scenario, so that a process loads its own only.
let scenarios: [String: @Sendable (Application) throws -> Void] = [
    "hello": hello,
    "json": numbers,
    "blog": blog,
    "static": staticFiles,
]

struct Refusal: Error, CustomStringConvertible {
    let description: String
}

func required(_ name: String) throws -> String {
    guard let value = Environment.get(name), !value.isEmpty else {
        throw Refusal(description: "the environment variable \(name) is not set")
    }
    return value
}

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
        let scenario = Environment.get("WEBDYNO_SCENARIO") ?? ""
        guard let mount = scenarios[scenario] else {
            let known = scenarios.keys.sorted().joined(separator: ", ")
            throw Refusal(
                description: "unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
        }
        guard let port = Int(try required("PORT")) else {
            throw Refusal(description: "PORT is not a number")
        }

        var environment = Environment.production
        try LoggingSystem.bootstrap(from: &environment) { level in
            { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }
        }
        let app = try await Application.make(environment)
        do {
            app.http.server.configuration.hostname = Environment.get("HOST") ?? "127.0.0.1"
            app.http.server.configuration.port = port
            try mount(app)
            try await app.execute()
        } catch {
            try? await app.asyncShutdown()
            throw error
        }
        try await app.asyncShutdown()
    }
}
