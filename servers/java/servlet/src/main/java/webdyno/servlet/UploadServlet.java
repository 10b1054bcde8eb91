package webdyno.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
final class UploadServlet extends HttpServlet {
    private static final int PIECE_BYTES = 16 * 1024;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        MessageDigest sha256 = Digests.sha256();
        byte[] piece = new byte[PIECE_BYTES];
        InputStream body = request.getInputStream();
        long length = 0;
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            sha256.update(piece, 0, read);
            length += read;
        }
        response.setContentType("text/plain; charset=utf-8");
        response.getWriter()
                .print("sha256:" + HexFormat.of().formatHex(sha256.digest()) + " " + length);
    }
}
