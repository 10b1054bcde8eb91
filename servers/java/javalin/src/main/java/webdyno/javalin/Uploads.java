package webdyno.javalin;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes what is uploaded, piece by piece as it arrives. */
final class Uploads {
    private static final int PIECE = 16 * 1024;

    private Uploads() {}

    /** The digest and the length of a body, as the scenario upload asks for them. */
    static String digest(InputStream body) throws IOException, NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[PIECE];
        long length = 0;
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            sha256.update(piece, 0, read);
            length += read;
        }
        return "sha256:" + HexFormat.of().formatHex(sha256.digest()) + " " + length;
    }
}
