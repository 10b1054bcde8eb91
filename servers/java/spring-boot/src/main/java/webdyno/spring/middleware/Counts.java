package webdyno.spring.middleware;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** What the process has seen: requests, and interceptors that they passed. */
@Component
@Profile("middleware")
class Counts {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    record Tally(long requests, long passed) {}

    /** Counts an interceptor that a request has passed. */
    void pass() {
        passed.incrementAndGet();
    }

    /** Counts a request, and tells what the process has seen, that one included. */
    Tally receive() {
        return new Tally(requests.incrementAndGet(), passed.get());
    }
}
