package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.article
import kotlinx.html.body
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.lang
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.p
import kotlinx.html.title
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.jdbc.select

/** The table articles. */
private object Articles : Table("articles") {
    val number = integer("number")
    val title = text("title")
    val author = text("author")
    val summary = text("summary")
}

private data class Article(val title: String, val author: String, val summary: String)

/** GET /page: the table articles, rendered by the HTML DSL. */
fun Application.page() {
    val database = postgresql()
    routing {
        get("/page") {
            val articles =
                database.query {
                    Articles.select(Articles.title, Articles.author, Articles.summary)
                        .orderBy(Articles.number)
                        .map { Article(it[Articles.title], it[Articles.author], it[Articles.summary]) }
                }
            call.respondHtml { news(articles) }
        }
    }
}

private fun HTML.news(articles: List<Article>) {
    lang = "en"
    head {
        meta(charset = "utf-8")
        title("The Dynamometer News")
    }
    body {
        header("site-header") { h1 { +"The Dynamometer News" } }
        main { articles.forEach { entry(it) } }
        footer("site-footer") { p { +"${articles.size} articles" } }
    }
}

private fun FlowContent.entry(article: Article) {
    article("entry") {
        h2 { +article.title }
        p("author") { +article.author }
        p { +article.summary }
    }
}
