#include "pages.hpp"

#include "answers.hpp"
#include "apps.hpp"
#include "rows.hpp"

namespace {

std::string fortunes_page(const std::vector<Fortune>& fortunes) {
    std::string html = R"(<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Fortunes</title>
</head>
<body>
  <table>
    <tr><th>id</th><th>message</th></tr>)";
    for (const Fortune& fortune : fortunes) {
        html += "\n    <tr><td>" + std::to_string(fortune.id) + "</td><td>" + escape(fortune.message) + "</td></tr>";
    }
    html += R"(
  </table>
</body>
</html>
)";
    return html;
}

std::string news_page(const std::vector<Article>& articles) {
    std::string html = R"(<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer News</title>
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer News</h1>
  </header>
  <main>)";
    for (const Article& article : articles) {
        html += R"(
    <article class="entry">
      <h2>)" + escape(article.title) + R"(</h2>
      <p class="author">)" + escape(article.author) + R"(</p>
      <p>)" + escape(article.summary) + R"(</p>
    </article>)";
    }
    html += R"(
  </main>
  <footer class="site-footer">
    <p>)" + std::to_string(articles.size()) + R"( articles</p>
  </footer>
</body>
</html>
)";
    return html;
}

}  // namespace

std::string escape(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char character : text) {
        switch (character) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default: safe += character;
        }
    }
    return safe;
}

void fortunes(Pistache::Rest::Router& router) {
    Pistache::Rest::Routes::Get(router, "/fortunes", handler([](const Request& request, Response& response) {
        const std::string added = parameter(request, "added");
        if (added.empty()) {
            send_text(response, "added must be a text", Pistache::Http::Code::Bad_Request);
            return;
        }
        send_html(response, fortunes_page(read_fortunes(added)));
    }));
}

void page(Pistache::Rest::Router& router) {
    Pistache::Rest::Routes::Get(router, "/page", handler([](const Request&, Response& response) {
        send_html(response, news_page(read_articles()));
    }));
}
