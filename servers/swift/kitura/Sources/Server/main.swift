import Dispatch
import Foundation
import Kitura
import KituraNet

/// Mounts the routes of one scenario, so that a process loads its own only.
let scenarios: [String: (Router) -> Void] = [
    "hello": { router in
        router.get("/hello") { _, response, next in
            response.headers["Content-Type"] = "text/plain; charset=utf-8"
            response.send("Hello World")
            next()
        }
    },
    "json": { router in
        router.get("/json") { _, response, next in
            let numbers = (1...10).map { ("Test Number \($0)", Int.random(in: 0...1000)) }
            response.send(json: Dictionary(uniqueKeysWithValues: numbers))
            next()
        }
    },
    "blog": { router in
        let folder = required("WEBDYNO_BLOG_DATA")
        let library = Library(folder: folder)
        router.get("/blog") { _, response, next in
            response.headers["Content-Type"] = "text/html; charset=utf-8"
            // As bytes: this release sends strings beyond ASCII torn.
            response.send(data: Data(render(library.drawPage()).utf8))
            next()
        }
        // Behind the route, so that a page costs no look at the disk.
        router.all("/", middleware: StaticFileServer(path: folder + "/static"))
    },
    "static": { router in
        router.all("/", middleware: StaticFileServer(path: required("WEBDYNO_STATIC")))
    },
]

let scenario = environment["WEBDYNO_SCENARIO"] ?? ""
guard let mount = scenarios[scenario] else {
    let known = scenarios.keys.sorted().joined(separator: ", ")
    refuse("unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
}
guard let port = Int(required("PORT")) else { refuse("PORT is not a number") }

let router = Router()
mount(router)

// Kitura.addHTTPServer would listen on every address of the machine.
let server = HTTP.createServer()
server.delegate = router
do {
    try server.listen(on: port, address: environment["HOST"] ?? "127.0.0.1")
} catch {
    refuse("cannot listen on port \(port): \(error)")
}

let signals = [SIGTERM, SIGINT].map { number -> DispatchSourceSignal in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
        server.stop()
        exit(0)
    }
    source.resume()
    return source
}
ListenerGroup.waitForListeners()
