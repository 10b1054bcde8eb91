struct HelloApp: App {
    func respond(to request: Request) -> Response {
        request.path == "/hello" ? .text("Hello World") : .notFound
    }
}
