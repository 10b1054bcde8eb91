import Foundation

/// The files below `root`, read for each request.
struct StaticApp: App {
    let root: URL

    init(root: String) {
        self.root = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "html": "text/html; charset=utf-8", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8", "json": "application/json",
    ]

    func respond(to request: Request) -> Response {
        let file = root.appendingPathComponent(request.path).standardizedFileURL
        guard file.path.hasPrefix(root.path + "/"),
            let body = FileManager.default.contents(atPath: file.path)
        else { return .notFound }
        let type = Self.types[file.pathExtension] ?? "application/octet-stream"
        return Response(type: type, body: body)
    }
}
