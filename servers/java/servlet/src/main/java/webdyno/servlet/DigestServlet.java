package webdyno.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
final class DigestServlet extends HttpServlet {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");

    private final Path file;

    DigestServlet(Path file) {
        this.file = file;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String n = request.getParameter("n");
        if (n == null || !DECIMAL_UP_TO_100000.matcher(n).matches()) {
            response.sendError(400, "n must be an integer from 1 to 100000");
            return;
        }
        byte[] digest = digestChain(Files.readAllBytes(file), Integer.parseInt(n));
        response.setContentType("text/plain; charset=utf-8");
        response.getWriter().print(HexFormat.of().formatHex(digest));
    }

    /** SHA-256 of the content, then of the content followed by the digest before. */
    private static byte[] digestChain(byte[] content, int rounds) {
        MessageDigest sha256 = Digests.sha256();
        byte[] digest = sha256.digest(content);
        for (int round = 2; round <= rounds; round++) {
            sha256.update(content);
            digest = sha256.digest(digest);
        }
        return digest;
    }
}
