import Foundation
import Hummingbird

struct Post: Decodable, Sendable {
    let title: String
    let paragraphs: [String]
}

struct Image: Decodable, Sendable {
    let file: String
    let alt: String
}

/// A post as a page shows it.
struct Entry {
    let post: Post
    let image: Image
}

@Sendable func blog(_ parts: inout Parts) async throws {
    let folder = try required("WEBDYNO_BLOG_DATA")
    func load<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }
    let posts = try load("posts.json", as: [Post].self)
    let images = try load("images.json", as: [Image].self)
    let postsPerPage = 5
    guard posts.count >= postsPerPage, !images.isEmpty else {
        throw Refusal(
            description: "\(folder) holds \(posts.count) posts and \(images.count) images: "
                + "a page needs \(postsPerPage) posts and an image")
    }

    let template = try await template("blog")
    parts.router.add(middleware: FileMiddleware(folder + "/static"))
    parts.router.get("blog") { _, _ in
        // As many draws as the page has posts, not a shuffle of all of them.
        var places = Set<Int>()
        while places.count < postsPerPage { places.insert(Int.random(in: posts.indices)) }
        let entries = places.shuffled().map {
            Entry(post: posts[$0], image: images.randomElement()!)
        }
        return Page(html: template.render(["entries": entries]))
    }
}
