package webdyno.servlet;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** GET /json: ten fresh random numbers, serialised by Jackson. */
final class JsonServlet extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("application/json");
        MAPPER.writeValue(response.getOutputStream(), numbers());
    }

    private static Map<String, Integer> numbers() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
