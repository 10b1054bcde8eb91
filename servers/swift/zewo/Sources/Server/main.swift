import Foundation
import Zewo

/// Zewo 0.16 has no router: a server has one function, which answers every request.
typealias App = (Request) throws -> Response

/// The answers of one scenario, so that a process loads its own only.
let scenarios: [String: () -> App] = [
    "hello": {
        { request in
            guard request.gets("/hello") else { return notFound() }
            return Response(
                status: .ok, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: "Hello World")
        }
    },
    "json": {
        { request in
            guard request.gets("/json") else { return notFound() }
            let numbers = (1...10).map { ("Test Number \($0)", JSON.int(Int.random(in: 0...1000))) }
            return try Response(
                status: .ok, content: JSON.object(Dictionary(uniqueKeysWithValues: numbers)))
        }
    },
    "blog": {
        let folder = required("WEBDYNO_BLOG_DATA")
        let library = Library(folder: folder)
        let files = Files(below: folder + "/static")
        return { request in
            guard request.gets("/blog") else { return files.answer(request) }
            return Response(
                status: .ok, headers: ["Content-Type": "text/html; charset=utf-8"],
                body: render(library.drawPage()))
        }
    },
    "static": {
        let files = Files(below: required("WEBDYNO_STATIC"))
        return files.answer
    },
]

func notFound() -> Response {
    Response(
        status: .notFound, headers: ["Content-Type": "text/plain; charset=utf-8"], body: "Not Found")
}

extension Request {
    var isGet: Bool {
        if case .get = method { return true }
        return false
    }

    func gets(_ path: String) -> Bool { isGet && uri.path == path }
}

/// Errors of connections, on stderr; what the framework says of its start is left out.
struct StandardError: LogAppender {
    let levels = Logger.Level.error

    func append(event: Logger.Event) {
        let parts = [event.message.map { "\($0)" }, event.error.map { "\($0)" }]
        let text = parts.compactMap { $0 }.joined(separator: " ")
        FileHandle.standardError.write(Data("server: \(text)\n".utf8))
    }
}

let scenario = environment["WEBDYNO_SCENARIO"] ?? ""
guard let makeApp = scenarios[scenario] else {
    let known = scenarios.keys.sorted().joined(separator: ", ")
    refuse("unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
}
guard let port = UInt16(required("PORT")) else { refuse("PORT is not a number of 1..65535") }

Logger.appenders = [StandardError()]
// Not by a Dispatch source, which would bring threads to a server that has one.
for number in [SIGTERM, SIGINT] {
    signal(number) { _ in _exit(0) }
}

let app = makeApp()
let server = Server(header: "") { request in
    do {
        return try app(request)
    } catch {
        Logger.error("cannot answer", error: error)
        return Response(status: .internalServerError)
    }
}
do {
    let tcp = try TCPHost(host: environment["HOST"] ?? "127.0.0.1", port: Int(port), backlog: 2048)
    try server.start(host: environment["ONE_WRITE"] == nil ? tcp : OneWriteHost(tcp: tcp))
} catch {
    refuse("cannot listen on port \(port): \(error)")
}
