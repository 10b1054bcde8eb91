package webdyno.servlet.rows;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** GET /cached?n=N: N rows that are drawn, each from a cache in the process. */
public final class CachedServlet extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final transient WorldCache worlds;

    public CachedServlet(WorldCache worlds) {
        this.worlds = worlds;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        List<Rows.World> drawn = worlds.draw(Rows.clamped(request.getParameter("n")));
        response.setContentType("application/json");
        MAPPER.writeValue(response.getOutputStream(), drawn);
    }
}
