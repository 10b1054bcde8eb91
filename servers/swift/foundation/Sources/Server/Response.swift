import Foundation

struct Response {
    var status = "200 OK"
    let type: String
    let body: Data

    static func text(_ text: String, status: String = "200 OK") -> Response {
        Response(status: status, type: "text/plain; charset=utf-8", body: Data(text.utf8))
    }

    static let notFound = text("Not Found", status: "404 Not Found")
    static let badRequest = text("Bad Request", status: "400 Bad Request")
    static let methodNotAllowed = text("Method Not Allowed", status: "405 Method Not Allowed")

    static func failed(_ error: Error) -> Response {
        FileHandle.standardError.write(Data("server: \(error)\n".utf8))
        return text("Internal Server Error", status: "500 Internal Server Error")
    }

    func encoded(keepAlive: Bool, head: Bool) -> Data {
        var text = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
        if !keepAlive { text += "Connection: close\r\n" }
        text += "\r\n"
        var bytes = Data(text.utf8)
        if !head { bytes.append(body) }
        return bytes
    }
}
