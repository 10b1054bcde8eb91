package webdyno.micronaut.sha256;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
@Controller
@Requires(property = "webdyno.scenario", value = "sha256")
final class DigestController {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");

    private final Path file;

    DigestController(@Value("${webdyno.file}") Path file) {
        this.file = file;
    }

    // Away from the event loop: it reads a file and computes for long.
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get(uri = "/benchmark", produces = MediaType.TEXT_PLAIN)
    String benchmark(@QueryValue String n) throws IOException {
        if (!DECIMAL_UP_TO_100000.matcher(n).matches()) {
            throw new HttpStatusException(
                    HttpStatus.BAD_REQUEST, "n must be an integer from 1 to 100000");
        }
        return DigestChain.of(Files.readAllBytes(file), Integer.parseInt(n));
    }
}
