package webdyno.spring.sha256;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a content, again and again. */
final class DigestChain {
    private DigestChain() {}

    /** The last digest, in hexadecimal: of the content, then of the content and the digest before. */
    static String of(byte[] content, int rounds) {
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
