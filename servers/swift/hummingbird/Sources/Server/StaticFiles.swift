import Hummingbird

@Sendable func staticFiles(_ parts: inout Parts) async throws {
    parts.router.add(middleware: FileMiddleware(try required("WEBDYNO_STATIC")))
}
