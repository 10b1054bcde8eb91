package webdyno.servlet.rows;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
public final class QueriesServlet extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final transient Rows rows;

    public QueriesServlet(Rows rows) {
        this.rows = rows;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        List<Rows.World> worlds;
        try {
            worlds = rows.readWorlds(Rows.clamped(request.getParameter("n")));
        } catch (SQLException error) {
            throw new ServletException(error);
        }
        response.setContentType("application/json");
        MAPPER.writeValue(response.getOutputStream(), worlds);
    }
}
