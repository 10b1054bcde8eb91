package webdyno.quarkus.rows;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** POST /updates?n=N: counts N rows that are drawn. */
@Path("/updates")
@EndpointDisabled(name = "endpoint.updates", stringValue = "off")
public class UpdatesResource {
    private static final int ROWS = 10_000;

    @POST
    @Transactional
    public List<Item> updates(@RestQuery String n) {
        // Rows that are always locked in the same order cannot make two transactions wait for each
        // other.
        return Rows.drawIds(ROWS).distinct().limit(Rows.clamped(n)).sorted()
                .mapToObj(UpdatesResource::counted)
                .toList();
    }

    /** The row, locked and counted; Hibernate writes it with the others before the commit. */
    private static Item counted(int id) {
        Item item = Item.findById(id, LockModeType.PESSIMISTIC_WRITE);
        item.quantity++;
        return item;
    }
}
