package webdyno.helidon;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Draws five different posts, each with an image drawn for it. */
public final class Blog {
    private static final int POSTS_A_PAGE = 5;

    private final List<Post> posts;
    private final List<Image> images;

    /** A post of posts.json. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Post(String title, List<String> paragraphs) {}

    /** An image of images.json. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Image(String file, String alt) {}

    /** A post with the image drawn for it. */
    public record Article(Post post, Image image) {}

    /** Reads posts.json and images.json in the folder {@code data}. */
    Blog(Path data) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        posts = mapper.readValue(data.resolve("posts.json").toFile(), new TypeReference<>() {});
        images = mapper.readValue(data.resolve("images.json").toFile(), new TypeReference<>() {});
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
