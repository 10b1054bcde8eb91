// A small HTTP/1.1 server on what every Swift toolchain brings: sockets, Dispatch and Foundation.
import Dispatch
import Foundation

setvbuf(stdout, nil, _IOLBF, 0)

func refuse(_ problem: String) -> Never {
    FileHandle.standardError.write(Data("server: \(problem)\n".utf8))
    exit(2)
}

let environment = ProcessInfo.processInfo.environment

func requireEnvironment(_ name: String) -> String {
    guard let value = environment[name], !value.isEmpty else {
        refuse("the environment variable \(name) is not set")
    }
    return value
}

/// A constructor for each scenario, so that a process loads and mounts its own only.
let apps: [String: () throws -> App] = [
    "hello": { HelloApp() },
    "json": { NumbersApp() },
    "blog": { try BlogApp(folder: requireEnvironment("WEBDYNO_BLOG_DATA")) },
    "static": { StaticApp(root: requireEnvironment("WEBDYNO_STATIC")) },
]

guard let port = UInt16(requireEnvironment("PORT")) else {
    refuse("PORT is '\(environment["PORT"]!)': set it to a number of 1..65535")
}
let scenario = environment["WEBDYNO_SCENARIO"] ?? ""
guard let makeApp = apps[scenario] else {
    let known = apps.keys.sorted().joined(separator: ", ")
    refuse("unknown WEBDYNO_SCENARIO '\(scenario)': set it to one of \(known)")
}

do {
    let server = try Server(port: port, app: makeApp())
    // A client that went away must be an error of write(), not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    var sources: [DispatchSourceSignal] = []
    for number in [SIGTERM, SIGINT] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { server.stop { exit(0) } }
        source.resume()
        sources.append(source)
    }
    server.start()
    dispatchMain()
} catch {
    refuse("\(error)")
}
