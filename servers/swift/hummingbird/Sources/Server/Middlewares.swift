import Hummingbird
import Synchronization

final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func increment() {
        count.add(1, ordering: .relaxed)
    }

    var value: Int { count.load(ordering: .relaxed) }
}

/// Counts a request and passes it on.
struct CountingMiddleware<Context: RequestContext>: RouterMiddleware {
    let passed: Counter

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        passed.increment()
        return try await next(request, context)
    }
}

struct Passed: ResponseEncodable {
    let requests: Int
    let passed: Int
}

@Sendable func countedMiddlewares(_ parts: inout Parts) async throws {
    let requests = Counter()
    let passed = Counter()
    for _ in 0..<(try number("WEBDYNO_MIDDLEWARE", usual: 5)) {
        parts.router.add(middleware: CountingMiddleware(passed: passed))
    }
    parts.router.get("hello") { _, _ in
        requests.increment()
        return "Hello World"
    }
    parts.router.get("passed") { _, _ in
        requests.increment()
        return Passed(requests: requests.value, passed: passed.value)
    }
}
