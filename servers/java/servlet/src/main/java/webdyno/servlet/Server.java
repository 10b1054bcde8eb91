package webdyno.servlet;

import static org.apache.tomcat.websocket.server.Constants.BINARY_BUFFER_SIZE_SERVLET_CONTEXT_INIT_PARAM;
import static org.apache.tomcat.websocket.server.Constants.TEXT_BUFFER_SIZE_SERVLET_CONTEXT_INIT_PARAM;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.WebResourceRoot;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.websocket.server.WsSci;
import webdyno.servlet.blog.BlogServlet;
import webdyno.servlet.echo.EchoEndpoint;
import webdyno.servlet.echo.UpgradeServlet;
import webdyno.servlet.lookup.Database;
import webdyno.servlet.lookup.Databases;
import webdyno.servlet.lookup.LookupServlet;
import webdyno.servlet.middleware.CountedHelloServlet;
import webdyno.servlet.middleware.CountingFilter;
import webdyno.servlet.middleware.Counts;
import webdyno.servlet.middleware.PassedServlet;
import webdyno.servlet.rows.CachedServlet;
import webdyno.servlet.rows.FortunesServlet;
import webdyno.servlet.rows.PageServlet;
import webdyno.servlet.rows.QueriesServlet;
import webdyno.servlet.rows.Rows;
import webdyno.servlet.rows.UpdatesServlet;
import webdyno.servlet.rows.WorldCache;
import webdyno.servlet.sessions.VisitServlet;

/** Starts Tomcat with the servlets of the scenario that WEBDYNO_SCENARIO names. */
public final class Server {
    /** What Tomcat keeps of a message until it is whole; by default 8 kB. */
    private static final String LONGEST_MESSAGE = "65536";

    private Server() {}

    public static void main(String[] arguments) throws IOException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/tomcat");
        tomcat.setConnector(connector(required("PORT")));
        mount(required("WEBDYNO_SCENARIO"), tomcat);

        try {
            tomcat.start();
        } catch (LifecycleException error) {
            System.err.println("cannot start: " + rootCause(error).getMessage());
            System.exit(1);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(tomcat)));
        tomcat.getServer().await();
    }

    private static Connector connector(String port) {
        Connector connector = new Connector();
        connector.setPort(Integer.parseInt(port));
        connector.setProperty("address", System.getenv().getOrDefault("HOST", "127.0.0.1"));
        // By default Tomcat closes a connection after 100 requests.
        connector.setProperty("maxKeepAliveRequests", "-1");
        if (!optional("VIRTUAL_THREADS", "").isEmpty()) {
            connector.setProperty("useVirtualThreads", "true");
        }
        connector.setThrowOnFailure(true);
        return connector;
    }

    private static void mount(String scenario, Tomcat tomcat) throws IOException {
        switch (scenario) {
            case "hello" -> add(tomcat.addContext("", null), "/hello", new HelloServlet());
            case "middleware" -> middleware(tomcat.addContext("", null), wantedMiddlewares());
            case "json" -> add(tomcat.addContext("", null), "/json", new JsonServlet());
            case "blog" -> {
                Path data = Path.of(required("WEBDYNO_BLOG_DATA")).toAbsolutePath();
                Context context = tomcat.addContext("", data.resolve("static").toString());
                Tomcat.addDefaultMimeTypeMappings(context);
                add(context, "/blog", new BlogServlet(data));
                add(context, "/", new DefaultServlet());
            }
            case "sha256" -> {
                Path file = Path.of(required("WEBDYNO_FILE"));
                add(tomcat.addContext("", null), "/benchmark", new DigestServlet(file));
            }
            case "session-counter" -> {
                Servlet visits = new VisitServlet(postgresql(), required("WEBDYNO_SECRET"));
                add(tomcat.addContext("", null), "", visits);
            }
            case "static" -> {
                Path folder = Path.of(required("WEBDYNO_STATIC")).toAbsolutePath();
                Context context = tomcat.addContext("", folder.toString());
                Tomcat.addDefaultMimeTypeMappings(context);
                context.setResources(checkedFiles(context));
                add(context, "/", new DefaultServlet());
            }
            case "upload" -> add(tomcat.addContext("", null), "/upload", new UploadServlet());
            case "stream" -> add(tomcat.addContext("", null), "/stream", new StreamServlet());
            case "sse" -> add(tomcat.addContext("", null), "/events", new EventsServlet());
            case "websocket-echo" -> {
                Context context = tomcat.addContext("", null);
                context.addParameter(TEXT_BUFFER_SIZE_SERVLET_CONTEXT_INIT_PARAM, LONGEST_MESSAGE);
                context.addParameter(BINARY_BUFFER_SIZE_SERVLET_CONTEXT_INIT_PARAM, LONGEST_MESSAGE);
                context.addServletContainerInitializer(new WsSci(), Set.of(EchoEndpoint.class));
                add(context, "/ws", new UpgradeServlet());
            }
            case "point-lookup" -> add(tomcat.addContext("", null), "/sku", lookup());
            case "queries" ->
                add(tomcat.addContext("", null), "/queries", new QueriesServlet(rows()));
            case "updates" ->
                add(tomcat.addContext("", null), "/updates", new UpdatesServlet(rows()));
            case "fortunes" ->
                add(tomcat.addContext("", null), "/fortunes", new FortunesServlet(rows()));
            case "page" -> add(tomcat.addContext("", null), "/page", new PageServlet(rows()));
            case "cached" -> {
                Duration ttl = Duration.ofMillis(Long.parseLong(optional("WEBDYNO_TTL_MS", "500")));
                Servlet cached = new CachedServlet(new WorldCache(postgresql(), ttl));
                add(tomcat.addContext("", null), "/cached", cached);
            }
            default -> refuse("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one of hello,"
                    + " middleware, json, blog, sha256, session-counter, static, upload, stream,"
                    + " sse, websocket-echo, point-lookup, queries, updates, fortunes, page,"
                    + " cached");
        }
    }

    private static void middleware(Context context, int wanted) {
        Counts counts = new Counts();
        for (int number = 0; number < wanted; number++) {
            FilterDef filter = new FilterDef();
            filter.setFilterName("CountingFilter" + number);
            filter.setFilter(new CountingFilter(counts));
            context.addFilterDef(filter);
            FilterMap mapping = new FilterMap();
            mapping.setFilterName(filter.getFilterName());
            mapping.addURLPattern("/*");
            context.addFilterMap(mapping);
        }
        add(context, "/hello", new CountedHelloServlet(counts));
        add(context, "/passed", new PassedServlet(counts));
    }

    private static int wantedMiddlewares() {
        String wanted = required("WEBDYNO_MIDDLEWARE");
        if (!wanted.matches("\\d{1,9}")) {
            refuse("WEBDYNO_MIDDLEWARE is \"" + wanted + "\": set it to a number");
        }
        return Integer.parseInt(wanted);
    }

    /** Files that Tomcat keeps, and checks for changes at each request, not every five seconds. */
    private static WebResourceRoot checkedFiles(Context context) {
        WebResourceRoot files = new StandardRoot(context);
        files.setCacheTtl(0);
        return files;
    }

    private static Rows rows() {
        return new Rows(postgresql());
    }

    private static DataSource postgresql() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + required("PGHOST") + ":" + required("PGPORT")
                + "/" + required("PGDATABASE"));
        config.setUsername(required("PGUSER"));
        config.setPassword(optional("PGPASSWORD", ""));
        config.setMaximumPoolSize(connections());
        return new HikariDataSource(config);
    }

    private static LookupServlet lookup() {
        String url = "jdbc:mariadb://" + required("MYSQL_HOST") + ":" + required("MYSQL_PORT")
                + "/" + required("MYSQL_DATABASE");
        String user = required("MYSQL_USER");
        String password = optional("MYSQL_PASSWORD", "");
        List<String> candidates = List.of(required("WEBDYNO_SKUS").split(","));
        if (optional("AS_PUBLISHED", "").isEmpty()) {
            Database pool = Databases.pool(url, user, password, connections());
            return new LookupServlet(pool, "sku_id", candidates);
        }
        Database anew = Databases.connectionPerRequest(url, user, password);
        return new LookupServlet(anew, "*", candidates);
    }

    private static int connections() {
        return Integer.parseInt(optional("WEBDYNO_POOL", "16"));
    }

    private static void add(Context context, String path, Servlet servlet) {
        String name = servlet.getClass().getSimpleName();
        Tomcat.addServlet(context, name, servlet).setLoadOnStartup(1);
        context.addServletMappingDecoded(path, name);
    }

    private static void stop(Tomcat tomcat) {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException error) {
            System.err.println("cannot stop: " + rootCause(error).getMessage());
        }
    }

    private static String optional(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private static String required(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            refuse(name + " is not set");
        }
        return value;
    }

    /** Ends the process with exit code 2: the launch was wrong, not the server. */
    private static void refuse(String message) {
        System.err.println(message);
        System.exit(2);
    }

    private static Throwable rootCause(Throwable error) {
        return error.getCause() == null ? error : rootCause(error.getCause());
    }
}
