package webdyno.servlet;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Message digests of the platform. */
final class Digests {
    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new AssertionError("every Java platform has SHA-256", error);
        }
    }
}
