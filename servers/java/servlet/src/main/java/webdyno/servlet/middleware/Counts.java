package webdyno.servlet.middleware;

import java.util.concurrent.atomic.AtomicLong;

/** What the process has seen: requests, and filters that they passed. */
public final class Counts {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    record Tally(long requests, long passed) {}

    /** Counts a filter that a request has passed. */
    void pass() {
        passed.incrementAndGet();
    }

    /** Counts a request. */
    void receive() {
        requests.incrementAndGet();
    }

    /** Counts a request, and tells what the process has seen, that one included. */
    Tally tally() {
        return new Tally(requests.incrementAndGet(), passed.get());
    }
}
