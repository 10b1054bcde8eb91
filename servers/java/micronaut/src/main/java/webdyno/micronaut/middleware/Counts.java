package webdyno.micronaut.middleware;

import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** What the process has seen: requests, and filters that they passed. */
@Singleton
@Requires(property = "webdyno.scenario", value = "middleware")
class Counts {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    @Serdeable
    record Tally(long requests, long passed) {}

    /** Counts a filter that a request has passed. */
    void pass() {
        passed.incrementAndGet();
    }

    /** Counts a request, and tells what the process has seen, that one included. */
    Tally receive() {
        return new Tally(requests.incrementAndGet(), passed.get());
    }
}
