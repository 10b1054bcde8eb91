package webdyno.spring.blog

import java.nio.file.Path
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Profile
import org.springframework.stereotype.Component
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.readValue

private const val POSTS_A_PAGE = 5

/** A post of posts.json. */
data class Post(val title: String, val paragraphs: List<String>)

/** An image of images.json. */
data class Image(val file: String, val alt: String)

/** A post with the image drawn for it. */
data class Article(val post: Post, val image: Image)

/** Draws five different posts, each with an image drawn for it. */
@Component
@Profile("blog")
class Blog(json: JsonMapper, @Value("\${WEBDYNO_BLOG_DATA}") data: Path) {
    private val posts = json.readValue<List<Post>>(data.resolve("posts.json").toFile())
    private val images = json.readValue<List<Image>>(data.resolve("images.json").toFile())

    fun draw(): List<Article> = posts.shuffled().take(POSTS_A_PAGE).map { Article(it, images.random()) }
}
