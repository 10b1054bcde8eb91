package webdyno.micronaut.blog;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Draws five different posts, each with an image drawn for it. */
@Singleton
@Requires(property = "webdyno.scenario", value = "blog")
public class Blog {
    private static final int POSTS_A_PAGE = 5;

    private final List<Post> posts;
    private final List<Image> images;

    /** A post of posts.json. */
    @Serdeable
    public record Post(String title, List<String> paragraphs) {}

    /** An image of images.json. */
    @Serdeable
    public record Image(String file, String alt) {}

    /** A post with the image drawn for it. */
    public record Article(Post post, Image image) {}

    Blog(JsonMapper json, @Value("${webdyno.blog.data}") Path data) throws IOException {
        byte[] texts = Files.readAllBytes(data.resolve("posts.json"));
        posts = json.readValue(texts, Argument.listOf(Post.class));
        byte[] pictures = Files.readAllBytes(data.resolve("images.json"));
        images = json.readValue(pictures, Argument.listOf(Image.class));
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
