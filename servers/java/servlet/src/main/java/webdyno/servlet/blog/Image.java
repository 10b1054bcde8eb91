package webdyno.servlet.blog;

/** An image of images.json: its file under /images/ and the text for its alt attribute. */
public record Image(String file, String alt) {}
