import Foundation

struct NumbersApp: App {
    func respond(to request: Request) -> Response {
        guard request.path == "/json" else { return .notFound }
        let numbers = Dictionary(
            uniqueKeysWithValues: (1...10).map { ("Test Number \($0)", Int.random(in: 0...1000)) })
        do {
            return Response(type: "application/json", body: try JSONEncoder().encode(numbers))
        } catch {
            return .failed(error)
        }
    }
}
