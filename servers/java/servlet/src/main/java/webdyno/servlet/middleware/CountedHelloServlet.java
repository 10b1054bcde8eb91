package webdyno.servlet.middleware;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** GET /hello: the smallest answer, counted. */
public final class CountedHelloServlet extends HttpServlet {
    private final transient Counts counts;

    public CountedHelloServlet(Counts counts) {
        this.counts = counts;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        counts.receive();
        response.setContentType("text/plain; charset=utf-8");
        response.getWriter().print("Hello World");
    }
}
