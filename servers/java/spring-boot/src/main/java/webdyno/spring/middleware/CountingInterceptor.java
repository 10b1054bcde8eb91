package webdyno.spring.middleware;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;

/** Counts a request and lets it pass. */
class CountingInterceptor implements HandlerInterceptor {
    private final Counts counts;

    CountingInterceptor(Counts counts) {
        this.counts = counts;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        counts.pass();
        return true;
    }
}
