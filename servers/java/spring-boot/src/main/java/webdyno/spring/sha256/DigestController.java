package webdyno.spring.sha256;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
@RestController
@Profile("sha256")
class DigestController {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");

    private final Path file;

    DigestController(@Value("${WEBDYNO_FILE}") Path file) {
        this.file = file;
    }

    @GetMapping(path = "/benchmark", produces = MediaType.TEXT_PLAIN_VALUE)
    String benchmark(@RequestParam String n) throws IOException {
        if (!DECIMAL_UP_TO_100000.matcher(n).matches()) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "n must be an integer from 1 to 100000");
        }
        return DigestChain.of(Files.readAllBytes(file), Integer.parseInt(n));
    }
}
