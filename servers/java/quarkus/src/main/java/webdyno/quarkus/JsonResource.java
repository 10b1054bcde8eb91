package webdyno.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** GET /json: ten fresh random numbers, serialised by Jackson. */
@Path("/json")
@EndpointDisabled(name = "endpoint.json", stringValue = "off")
public class JsonResource {
    @GET
    public Map<String, Integer> numbers() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
