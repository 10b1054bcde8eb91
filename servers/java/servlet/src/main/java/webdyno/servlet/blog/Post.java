package webdyno.servlet.blog;

import java.util.List;

/** A post of posts.json. */
public record Post(int number, String title, List<String> paragraphs) {}
