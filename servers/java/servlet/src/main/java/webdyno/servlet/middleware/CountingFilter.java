package webdyno.servlet.middleware;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** Counts a request and passes it on. */
public final class CountingFilter implements Filter {
    private final Counts counts;

    public CountingFilter(Counts counts) {
        this.counts = counts;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        counts.pass();
        chain.doFilter(request, response);
    }
}
