package webdyno.servlet.blog;

/** A post as the page shows it: with an image drawn for it. */
public record Article(Post post, Image image) {}
