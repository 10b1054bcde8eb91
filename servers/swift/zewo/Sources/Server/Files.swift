import Foundation
import Zewo

/// The files below a folder, read for each request: this release has nothing that serves files.
struct Files {
    private let root: URL

    init(below folder: String) {
        root = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "html": "text/html; charset=utf-8", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8", "json": "application/json",
    ]

    func answer(_ request: Request) -> Response {
        guard request.isGet, let path = request.uri.path?.removingPercentEncoding else {
            return notFound()
        }
        let file = root.appendingPathComponent(path).standardizedFileURL
        guard file.path.hasPrefix(root.path + "/"),
            let body = FileManager.default.contents(atPath: file.path)
        else { return notFound() }
        let type = Self.types[file.pathExtension] ?? "application/octet-stream"
        return Response(
            status: .ok, headers: [Headers.Field("Content-Type"): type], body: body)
    }
}
