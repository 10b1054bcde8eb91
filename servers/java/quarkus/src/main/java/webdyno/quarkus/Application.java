package webdyno.quarkus;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Set;

/** Starts the scenario that WEBDYNO_SCENARIO names: each is a profile, which has its endpoint on. */
@QuarkusMain
public final class Application {
    private static final Set<String> SCENARIOS = Set.of(
            "hello", "middleware", "json", "blog", "sha256", "session-counter", "point-lookup",
            "queries", "updates", "fortunes", "page", "cached", "upload", "static", "stream",
            "sse", "websocket-echo");

    private Application() {}

    public static void main(String[] arguments) {
        String scenario = System.getenv("WEBDYNO_SCENARIO");
        if (scenario == null || !SCENARIOS.contains(scenario)) {
            System.err.println("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one of "
                    + String.join(", ", SCENARIOS.stream().sorted().toList()));
            System.exit(2);
        }
        System.setProperty("quarkus.profile", "prod," + scenario);
        Quarkus.run(arguments);
    }
}
