/// The page, as HTML: what a template engine would do, by string interpolation.
func render(_ posts: [(Post, Image)]) -> String {
    var html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>The Dynamometer Blog</title><link rel="stylesheet" href="/css/style.css"></head>
        <body>
        <header class="site-header"><h1>The Dynamometer Blog</h1><nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>
        <main>

        """
    for (post, image) in posts {
        html += "<article class=\"post\"><h2>\(escape(post.title))</h2>"
        html += "<img src=\"/images/\(escape(image.file))\" alt=\"\(escape(image.alt))\">"
        for paragraph in post.paragraphs {
            html += "<p>\(escape(paragraph))</p>"
        }
        html += "</article>\n"
    }
    html += """
        </main>
        <footer class="site-footer"><p>Made for measuring: five posts, drawn at random for each request.</p></footer>
        </body>
        </html>

        """
    return html
}

/// Escaped for HTML text and for attributes in double quotes.
func escape(_ text: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "&"): escaped += "&amp;".utf8
        case UInt8(ascii: "<"): escaped += "&lt;".utf8
        case UInt8(ascii: ">"): escaped += "&gt;".utf8
        case UInt8(ascii: "\""): escaped += "&quot;".utf8
        default: escaped.append(byte)
        }
    }
    return String(decoding: escaped, as: UTF8.self)
}
