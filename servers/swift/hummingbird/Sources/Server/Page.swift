import Hummingbird
import Mustache

/// A page, as HTML.
struct Page: ResponseGenerator {
    let html: String

    func response(from request: Request, context: some RequestContext) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}

/// The template of a name, parsed.
func template(_ name: String) async throws -> MustacheTemplate {
    let library = try await MustacheLibrary(directory: "templates")
    guard let template = library.getTemplate(named: name) else {
        throw Refusal(description: "templates/\(name).mustache is missing in the working folder")
    }
    return template
}
