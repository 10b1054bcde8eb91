package webdyno.servlet.rows;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** POST /updates?n=N: counts N rows that are drawn. */
public final class UpdatesServlet extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final transient Rows rows;

    public UpdatesServlet(Rows rows) {
        this.rows = rows;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        List<Rows.Item> items;
        try {
            items = rows.countItems(Rows.clamped(request.getParameter("n")));
        } catch (SQLException error) {
            throw new ServletException(error);
        }
        response.setContentType("application/json");
        MAPPER.writeValue(response.getOutputStream(), items);
    }
}
