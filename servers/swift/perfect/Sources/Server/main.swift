import Dispatch
import Foundation
import Glibc
import PerfectHTTP
import PerfectHTTPServer
import PerfectLib

/// The routes of one scenario, so that a process loads its own only.
let scenarios: [String: () -> Routes] = [
    "hello": {
        Routes([
            Route(method: .get, uri: "/hello") { _, response in
                response.setHeader(.contentType, value: "text/plain; charset=utf-8")
                response.appendBody(string: "Hello World")
                response.completed()
            }
        ])
    },
    "json": {
        Routes([
            Route(method: .get, uri: "/json") { _, response in
                let numbers = (1...10).map { ("Test Number \($0)", Int.random(in: 0...1000)) }
                do {
                    try response.setBody(json: Dictionary(uniqueKeysWithValues: numbers))
                } catch {
                    response.status = .internalServerError
                }
                response.setHeader(.contentType, value: "application/json")
                response.completed()
            }
        ])
    },
    "blog": {
        let folder = required("WEBDYNO_BLOG_DATA")
        let library = Library(folder: folder)
        return Routes([
            Route(method: .get, uri: "/blog") { _, response in
                response.setHeader(.contentType, value: "text/html; charset=utf-8")
                response.appendBody(string: render(library.drawPage()))
                response.completed()
            },
            files(below: folder + "/static"),
        ])
    },
    "static": { Routes([files(below: required("WEBDYNO_STATIC"))]) },
]

func files(below folder: String) -> Route {
    let handler = StaticFileHandler(documentRoot: folder)
    return Route(method: .get, uri: "/**", handler: handler.handleRequest)
}

let scenario = environment["WEBDYNO_SCENARIO"] ?? ""
guard let routes = scenarios[scenario] else {
    let known = scenarios.keys.sorted().joined(separator: ", ")
    refuse("unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
}
guard let port = UInt16(required("PORT")) else { refuse("PORT is not a number of 1..65535") }

let server = HTTPServer()
server.serverAddress = environment["HOST"] ?? "127.0.0.1"
server.serverPort = port
server.addRoutes(routes())

// By module: the flags of build.sh bring a second definition of each.
let signals = [Glibc.SIGTERM, Glibc.SIGINT].map { number -> DispatchSourceSignal in
    signal(number, Glibc.SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
        server.stop()
        exit(0)
    }
    source.resume()
    return source
}
do {
    try server.start()
} catch {
    refuse("cannot listen on port \(port): \(error)")
}
