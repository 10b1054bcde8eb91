package webdyno.servlet.rows;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by JTE. */
public final class FortunesServlet extends HttpServlet {
    private final transient TemplateEngine templates =
            TemplateEngine.createPrecompiled(ContentType.Html);
    private final transient Rows rows;

    public FortunesServlet(Rows rows) {
        this.rows = rows;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String added = request.getParameter("added");
        if (added == null || added.isEmpty()) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "added must be a text");
            return;
        }
        Utf8ByteOutput page = new Utf8ByteOutput();
        try {
            templates.render("fortunes.jte", rows.readFortunes(added), page);
        } catch (SQLException error) {
            throw new ServletException(error);
        }
        response.setContentType("text/html; charset=utf-8");
        response.setContentLength(page.getContentLength());
        page.writeTo(response.getOutputStream());
    }
}
