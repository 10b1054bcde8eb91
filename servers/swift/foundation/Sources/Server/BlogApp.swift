import Foundation

struct Post: Decodable {
    let title: String
    let paragraphs: [String]
}

struct Image: Decodable {
    let file: String
    let alt: String
}

struct BlogError: Error, CustomStringConvertible {
    let description: String
}

/// Pages of five posts, drawn for each request and rendered into HTML; static files beside them.
struct BlogApp: App {
    static let postsPerPage = 5
    let posts: [Post]
    let images: [Image]
    let files: StaticApp

    init(folder: String) throws {
        func load<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
            let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
            return try JSONDecoder().decode(type, from: Data(contentsOf: url))
        }
        posts = try load("posts.json", as: [Post].self)
        images = try load("images.json", as: [Image].self)
        files = StaticApp(root: folder + "/static")
        guard posts.count >= Self.postsPerPage, !images.isEmpty else {
            throw BlogError(
                description: "\(folder) holds \(posts.count) posts and \(images.count) images: "
                    + "a page needs \(Self.postsPerPage) posts and an image")
        }
    }

    func respond(to request: Request) -> Response {
        guard request.path == "/blog" else { return files.respond(to: request) }
        // As many draws as the page has posts, not a shuffle of all of them.
        var places = Set<Int>()
        while places.count < Self.postsPerPage { places.insert(Int.random(in: posts.indices)) }
        let page = places.shuffled().map { (posts[$0], images.randomElement()!) }
        return Response(type: "text/html; charset=utf-8", body: Data(render(page).utf8))
    }
}
