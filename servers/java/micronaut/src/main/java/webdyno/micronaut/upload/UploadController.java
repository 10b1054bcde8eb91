package webdyno.micronaut.upload;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
@Controller
@Requires(property = "webdyno.scenario", value = "upload")
final class UploadController {
    private static final int PIECE_BYTES = 16 * 1024;

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Post(uri = "/upload", consumes = MediaType.ALL, produces = MediaType.TEXT_PLAIN)
    String upload(@Nullable @Body InputStream body) throws IOException, NoSuchAlgorithmException {
        // Micronaut binds nothing where the body is empty.
        return digest(body == null ? InputStream.nullInputStream() : body);
    }

    private static String digest(InputStream body) throws IOException, NoSuchAlgorithmException {
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
