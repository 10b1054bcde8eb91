package webdyno.servlet.echo;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** GET /ws without an upgrade, which Tomcat's filter leaves to the servlets. */
public final class UpgradeServlet extends HttpServlet {
    private static final int UPGRADE_REQUIRED = 426;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("Upgrade", "websocket");
        response.sendError(UPGRADE_REQUIRED);
    }
}
