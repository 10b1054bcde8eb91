import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.Executors;

/**
 * A small service: an item as JSON, signed with rounds of SHA-256.
 *
 * <p>Its argument is how many rounds more than usual a request takes.
 */
public final class Service {
  private static final int USUAL_ROUNDS = 60;

  private static String sign(int id, int rounds) {
    MessageDigest sha256;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
    byte[] digest = sha256.digest(("item " + id).getBytes(StandardCharsets.UTF_8));
    byte[] usual = digest;
    for (int round = 0; round < rounds; round++) {
      digest = sha256.digest(digest);
      if (round == USUAL_ROUNDS - 1) {
        usual = digest;
      }
    }
    return HexFormat.of().formatHex(usual);
  }

  public static void main(String[] arguments) throws IOException {
    int rounds = USUAL_ROUNDS + (arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0);
    // Otherwise the system delays every answer by up to 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    int port = Integer.parseInt(System.getenv("PORT"));
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
    server.createContext(
        "/items/",
        exchange -> {
          int id;
          try (exchange) {
            id = Integer.parseInt(exchange.getRequestURI().getPath().substring("/items/".length()));
            var body =
                "{\"id\":%d,\"name\":\"item %d\",\"tags\":[\"new\",\"small\"],\"signature\":\"%s\"}"
                    .formatted(id, id, sign(id, rounds))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          } catch (NumberFormatException wrong) {
            exchange.sendResponseHeaders(404, -1);
          }
        });
    server.setExecutor(Executors.newFixedThreadPool(64));
    server.start();
  }
}
