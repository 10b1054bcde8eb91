import Vapor

@Sendable func hello(_ app: Application) {
    app.get("hello") { _ in "Hello World" }
}
