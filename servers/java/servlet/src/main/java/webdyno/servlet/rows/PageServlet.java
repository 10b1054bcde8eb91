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

/** GET /page: the table articles, rendered by JTE. */
public final class PageServlet extends HttpServlet {
    private final transient TemplateEngine templates =
            TemplateEngine.createPrecompiled(ContentType.Html);
    private final transient Rows rows;

    public PageServlet(Rows rows) {
        this.rows = rows;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        Utf8ByteOutput page = new Utf8ByteOutput();
        try {
            templates.render("page.jte", rows.readArticles(), page);
        } catch (SQLException error) {
            throw new ServletException(error);
        }
        response.setContentType("text/html; charset=utf-8");
        response.setContentLength(page.getContentLength());
        page.writeTo(response.getOutputStream());
    }
}
