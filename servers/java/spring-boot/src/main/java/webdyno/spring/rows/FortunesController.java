package webdyno.spring.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by Thymeleaf. */
@Controller
@Profile("fortunes")
class FortunesController {
    private final JdbcClient database;

    FortunesController(JdbcClient database) {
        this.database = database;
    }

    /** A row of the table fortune. */
    record Fortune(int id, String message) {}

    @GetMapping("/fortunes")
    String fortunes(@RequestParam String added, Model model) {
        if (added.isEmpty()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "added must be a text");
        }
        List<Fortune> fortunes = new ArrayList<>(read());
        fortunes.add(new Fortune(0, added));
        fortunes.sort(Comparator.comparing(Fortune::message));
        model.addAttribute("fortunes", fortunes);
        return "fortunes";
    }

    private List<Fortune> read() {
        return database.sql("SELECT id, message FROM fortune")
                .query((row, number) -> new Fortune(row.getInt(1), row.getString(2)))
                .list();
    }
}
