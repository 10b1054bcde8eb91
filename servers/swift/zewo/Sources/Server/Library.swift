import Foundation

struct Post: Decodable {
    let title: String
    let paragraphs: [String]
}

struct Image: Decodable {
    let file: String
    let alt: String
}

/// What the blog draws its pages from.
struct Library {
    static let postsPerPage = 5
    let posts: [Post]
    let images: [Image]

    init(folder: String) {
        func load<T: Decodable>(_ name: String, as type: T.Type) -> T {
            let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
            do {
                return try JSONDecoder().decode(type, from: Data(contentsOf: url))
            } catch {
                refuse("\(url.path): \(error)")
            }
        }
        posts = load("posts.json", as: [Post].self)
        images = load("images.json", as: [Image].self)
        guard posts.count >= Self.postsPerPage, !images.isEmpty else {
            refuse(
                "\(folder) holds \(posts.count) posts and \(images.count) images: "
                    + "a page needs \(Self.postsPerPage) posts and an image")
        }
    }

    /// Different posts in random order, each with an image drawn on its own.
    func drawPage() -> [(Post, Image)] {
        // As many draws as the page has posts, not a shuffle of all of them.
        var places = Set<Int>()
        while places.count < Self.postsPerPage { places.insert(Int.random(in: posts.indices)) }
        return places.shuffled().map { (posts[$0], images.randomElement()!) }
    }
}
