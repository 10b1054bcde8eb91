package webdyno.spring;

import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the scenario that WEBDYNO_SCENARIO names: each is a Spring profile of the same name. */
@SpringBootApplication
public class Application {
    private static final Set<String> SCENARIOS =
            Set.of("hello", "middleware", "json", "blog", "sha256", "session-counter", "page",
                    "point-lookup", "queries", "updates", "fortunes", "cached", "upload", "static",
                    "stream", "sse", "websocket-echo");

    public static void main(String[] arguments) {
        String scenario = System.getenv("WEBDYNO_SCENARIO");
        if (scenario == null || !SCENARIOS.contains(scenario)) {
            System.err.println("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one of "
                    + String.join(", ", SCENARIOS.stream().sorted().toList()));
            System.exit(2);
        }
        SpringApplication application = new SpringApplication(Application.class);
        application.setAdditionalProfiles(scenario);
        application.run(arguments);
    }
}
