package webdyno.servlet.middleware;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** GET /passed: how many requests there were, and how many filters they passed. */
public final class PassedServlet extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final transient Counts counts;

    public PassedServlet(Counts counts) {
        this.counts = counts;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("application/json");
        MAPPER.writeValue(response.getOutputStream(), counts.tally());
    }
}
