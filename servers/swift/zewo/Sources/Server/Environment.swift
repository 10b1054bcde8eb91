import Foundation

func refuse(_ problem: String) -> Never {
    FileHandle.standardError.write(Data("server: \(problem)\n".utf8))
    exit(2)
}

let environment = ProcessInfo.processInfo.environment

func required(_ name: String) -> String {
    guard let value = environment[name], !value.isEmpty else {
        refuse("the environment variable \(name) is not set")
    }
    return value
}
