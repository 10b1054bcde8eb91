package webdyno.micronaut.middleware;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.RequestFilter;
import jakarta.inject.Singleton;

/**
 * Counts a request and lets it pass. Without {@code @ServerFilter}, which would register it once:
 * {@link CountingFilters} does so as often as is asked for.
 */
@Singleton
@Requires(property = "webdyno.scenario", value = "middleware")
class CountingFilter {
    private final Counts counts;

    CountingFilter(Counts counts) {
        this.counts = counts;
    }

    @RequestFilter(RequestFilter.MATCH_ALL_PATTERN)
    void count() {
        counts.pass();
    }
}
