package webdyno.quarkus.upload;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
@Path("/upload")
@EndpointDisabled(name = "endpoint.upload", stringValue = "off")
public class UploadResource {
    private static final int PIECE_BYTES = 16 * 1024;

    @POST
    @Produces(MediaType.TEXT_PLAIN)
    public String upload(InputStream body) throws IOException, NoSuchAlgorithmException {
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
