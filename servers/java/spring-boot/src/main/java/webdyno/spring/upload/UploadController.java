package webdyno.spring.upload;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
@RestController
@Profile("upload")
class UploadController {
    private static final int PIECE_BYTES = 16 * 1024;

    @PostMapping(path = "/upload", produces = MediaType.TEXT_PLAIN_VALUE)
    String upload(InputStream body) throws IOException, NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[PIECE_BYTES];
        long length = 0;
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            sha256.update(piece, 0, read);
            length += read;
        }
        return "sha256:" + HexFormat.of().formatHex(sha256.digest()) + " " + length;
    }
}
