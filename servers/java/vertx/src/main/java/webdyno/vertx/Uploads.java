package webdyno.vertx;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes what is uploaded, piece by piece as it arrives. */
final class Uploads {
    private final MessageDigest sha256;
    private long length;

    private Uploads(MessageDigest sha256) {
        this.sha256 = sha256;
    }

    /** The digest and the length of a body, as the scenario upload asks for them. */
    static Future<String> digest(HttpServerRequest request) {
        try {
            return new Uploads(MessageDigest.getInstance("SHA-256")).read(request);
        } catch (NoSuchAlgorithmException error) {
            throw new AssertionError("every Java platform has SHA-256", error);
        }
    }

    private Future<String> read(HttpServerRequest request) {
        request.handler(piece -> {
            sha256.update(piece.getBytes());
            length += piece.length();
        });
        return request.end().map(
                ended -> "sha256:" + HexFormat.of().formatHex(sha256.digest()) + " " + length);
    }
}
