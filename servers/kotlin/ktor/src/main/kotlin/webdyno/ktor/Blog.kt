package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.http.content.staticFiles
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.io.File
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json

private const val POSTS_A_PAGE = 5

/** A post of posts.json. */
@Serializable class Post(val title: String, val paragraphs: List<String>)

/** An image of images.json. */
@Serializable class Image(val file: String, val alt: String)

/** GET /blog: five posts that are drawn, each with an image; and the files beside it. */
fun Application.blog() {
    val data = File(required("WEBDYNO_BLOG_DATA"))
    val json = Json { ignoreUnknownKeys = true }
    val posts = json.decodeFromString<List<Post>>(data.resolve("posts.json").readText())
    val images = json.decodeFromString<List<Image>>(data.resolve("images.json").readText())
    routing {
        get("/blog") {
            val drawn = posts.shuffled().take(POSTS_A_PAGE).map { it to images.random() }
            call.respondHtml { blogPage(drawn) }
        }
        staticFiles("/", data.resolve("static"), index = null)
    }
}
