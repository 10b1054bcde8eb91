package webdyno.spring.blog;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Draws five different posts, each with an image drawn for it. */
@Component
@Profile("blog")
class Blog {
    private static final int POSTS_A_PAGE = 5;

    private final List<Post> posts;
    private final List<Image> images;

    /** A post of posts.json. */
    record Post(String title, List<String> paragraphs) {}

    /** An image of images.json. */
    record Image(String file, String alt) {}

    /** A post with the image drawn for it. */
    record Article(Post post, Image image) {}

    Blog(JsonMapper json, @Value("${WEBDYNO_BLOG_DATA}") Path data) {
        posts = json.readValue(data.resolve("posts.json"), new TypeReference<>() {});
        images = json.readValue(data.resolve("images.json"), new TypeReference<>() {});
    }

    List<Article> draw() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return random.ints(0, posts.size())
                .distinct()
                .limit(POSTS_A_PAGE)
                .mapToObj(posts::get)
                .map(post -> new Article(post, images.get(random.nextInt(images.size()))))
                .toList();
    }
}
