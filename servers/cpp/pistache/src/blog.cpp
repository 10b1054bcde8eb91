#include <algorithm>
#include <fstream>

#include "answers.hpp"
#include "apps.hpp"
#include "environment.hpp"
#include "pages.hpp"
#include "random.hpp"

namespace {

constexpr int SHOWN = 5;

struct Post {
    std::string title;
    std::vector<std::string> paragraphs;
};

struct Image {
    std::string file;
    std::string alt;
};

nlohmann::json read(const std::string& path) {
    std::ifstream file{path};
    return nlohmann::json::parse(file);
}

std::vector<Post> read_posts(const std::string& path) {
    std::vector<Post> posts;
    for (const auto& each : read(path)) {
        posts.push_back({each.at("title"), each.at("paragraphs")});
    }
    return posts;
}

std::vector<Image> read_images(const std::string& path) {
    std::vector<Image> images;
    for (const auto& each : read(path)) {
        images.push_back({each.at("file"), each.at("alt")});
    }
    return images;
}

/// Different indices below `size`, in the order drawn.
std::vector<std::size_t> sample(std::size_t size) {
    std::vector<std::size_t> drawn;
    while (drawn.size() < SHOWN) {
        const auto index = static_cast<std::size_t>(random_integer(0, static_cast<int>(size) - 1));
        if (std::ranges::find(drawn, index) == drawn.end()) {
            drawn.push_back(index);
        }
    }
    return drawn;
}

std::string blog_page(const std::vector<Post>& posts, const std::vector<Image>& images) {
    std::string html = R"(<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer Blog</title>
  <link rel="stylesheet" href="/css/style.css">
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer Blog</h1>
    <nav><a href="/blog">Posts</a> <a href="/about">About</a></nav>
  </header>
  <main>)";
    for (const std::size_t index : sample(posts.size())) {
        const Post& post = posts[index];
        const Image& image = images[random_integer(0, static_cast<int>(images.size()) - 1)];
        html += R"(
    <article class="post">
      <h2>)" + escape(post.title) + R"(</h2>
      <img src="/images/)" + escape(image.file) + R"(" alt=")" + escape(image.alt) + R"(">)";
        for (const std::string& paragraph : post.paragraphs) {
            html += "\n      <p>" + escape(paragraph) + "</p>";
        }
        html += "\n    </article>";
    }
    html += R"(
  </main>
  <footer class="site-footer">
    <p>Made for measuring: five posts, drawn at random for each request.</p>
  </footer>
</body>
</html>
)";
    return html;
}

}  // namespace

void blog(Pistache::Rest::Router& router) {
    const std::string data = required("WEBDYNO_BLOG_DATA");
    mount_files(router, data + "/static");
    Pistache::Rest::Routes::Get(
        router, "/blog",
        handler([posts = read_posts(data + "/posts.json"), images = read_images(data + "/images.json")](
                    const Request&, Response& response) { send_html(response, blog_page(posts, images)); }));
}
