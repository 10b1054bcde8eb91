package webdyno.helidon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The last of some chained SHA-256 digests of a file, which is read each time. */
final class Digests {
    private final Path file;

    Digests(Path file) {
        this.file = file;
    }

    /** SHA-256 of the content, then of the content followed by the digest before. */
    String chain(int rounds) throws IOException {
        byte[] content = Files.readAllBytes(file);
        MessageDigest sha256 = sha256();
        byte[] digest = sha256.digest(content);
        for (int round = 2; round <= rounds; round++) {
            sha256.update(content);
            digest = sha256.digest(digest);
        }
        return HexFormat.of().formatHex(digest);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new AssertionError("every Java platform has SHA-256", error);
        }
    }
}
