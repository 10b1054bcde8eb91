package webdyno.micronaut;

import io.micronaut.runtime.Micronaut;
import java.util.Set;

/** Starts the scenario that WEBDYNO_SCENARIO names: only its controller is made. */
public final class Application {
    private static final Set<String> SCENARIOS = Set.of(
            "hello", "middleware", "json", "blog", "static", "sha256", "session-counter",
            "point-lookup", "queries", "updates", "fortunes", "page", "cached", "upload", "stream",
            "sse", "websocket-echo");

    private Application() {}

    public static void main(String[] arguments) {
        String scenario = System.getenv("WEBDYNO_SCENARIO");
        if (scenario == null || !SCENARIOS.contains(scenario)) {
            System.err.println("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one of "
                    + String.join(", ", SCENARIOS.stream().sorted().toList()));
            System.exit(2);
        }
        Micronaut.build(arguments)
                .mainClass(Application.class)
                .environments(environment(scenario))
                .banner(false)
                .start();
    }

    /** Whose settings the scenario has, besides those of all: application-ENVIRONMENT.yml. */
    private static String environment(String scenario) {
        return switch (scenario) {
            case "session-counter", "queries", "updates", "fortunes", "page", "cached" ->
                "postgresql";
            case "point-lookup" -> "mariadb";
            default -> scenario;
        };
    }
}
