import Hummingbird

@Sendable func hello(_ parts: inout Parts) async throws {
    parts.router.get("hello") { _, _ in "Hello World" }
}
