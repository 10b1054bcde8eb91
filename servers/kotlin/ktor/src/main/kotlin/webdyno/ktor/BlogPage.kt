package webdyno.ktor

import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.a
import kotlinx.html.article
import kotlinx.html.body
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.img
import kotlinx.html.lang
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.title

/** The blog's page, with posts and the image of each. */
fun HTML.blogPage(drawn: List<Pair<Post, Image>>) {
    lang = "en"
    head {
        meta(charset = "utf-8")
        title("The Dynamometer Blog")
        link {
            rel = "stylesheet"
            href = "/css/style.css"
        }
    }
    body {
        header("site-header") {
            h1 { +"The Dynamometer Blog" }
            nav {
                a("/blog") { +"Posts" }
                +" "
                a("/about") { +"About" }
            }
        }
        main { drawn.forEach { (post, image) -> post(post, image) } }
        footer("site-footer") {
            p { +"Made for measuring: five posts, drawn at random for each request." }
        }
    }
}

private fun FlowContent.post(post: Post, image: Image) {
    article("post") {
        h2 { +post.title }
        img {
            src = "/images/${image.file}"
            alt = image.alt
        }
        post.paragraphs.forEach { p { +it } }
    }
}
