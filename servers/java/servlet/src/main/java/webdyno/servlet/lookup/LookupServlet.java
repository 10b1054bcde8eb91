package webdyno.servlet.lookup;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
public final class LookupServlet extends HttpServlet {
    private final transient Database database;
    private final String columns;
    private final List<String> candidates;

    /** Selects the given columns, sku_id among them. */
    public LookupServlet(Database database, String columns, List<String> candidates) {
        this.database = database;
        this.columns = columns;
        this.candidates = candidates;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String id = request.getParameter("id");
        Optional<String> found = find(id == null ? draw() : id);
        if (found.isEmpty()) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setContentType("text/plain; charset=utf-8");
        response.getWriter().print(found.get());
    }

    private String draw() {
        return candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
    }

    private Optional<String> find(String id) throws ServletException {
        String select = "SELECT " + columns + " FROM purch_sku_master WHERE sku_id = ?";
        try (Connection connection = database.connection();
                PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString("sku_id")) : Optional.empty();
            }
        } catch (SQLException error) {
            throw new ServletException(error);
        }
    }
}
