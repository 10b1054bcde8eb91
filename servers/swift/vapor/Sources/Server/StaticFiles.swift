import Vapor

@Sendable func staticFiles(_ app: Application) throws {
    app.middleware.use(FileMiddleware(publicDirectory: try required("WEBDYNO_STATIC")))
}
