import Vapor

@Sendable func numbers(_ app: Application) {
    app.get("json") { _ in
        Dictionary(
            uniqueKeysWithValues: (1...10).map { ("Test Number \($0)", Int.random(in: 0...1000)) })
    }
}
