import Hummingbird

@Sendable func numbers(_ parts: inout Parts) async throws {
    parts.router.get("json") { _, _ in
        Dictionary(
            uniqueKeysWithValues: (1...10).map { ("Test Number \($0)", Int.random(in: 0...1000)) })
    }
}
