package webdyno.javalin;

import java.util.concurrent.atomic.AtomicLong;

/** What the process has seen: requests, and middlewares that they passed. */
final class Counts {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    record Tally(long requests, long passed) {}

    /** How many middlewares every request is to pass. */
    static int wanted() {
        String wanted = Environment.required("WEBDYNO_MIDDLEWARE");
        if (!wanted.matches("\\d{1,9}")) {
            Environment.refuse("WEBDYNO_MIDDLEWARE is \"" + wanted + "\": set it to a number");
        }
        return Integer.parseInt(wanted);
    }

    /** Counts a middleware that a request has passed. */
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
