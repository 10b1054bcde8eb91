package webdyno.quarkus.lookup;

import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
@Path("/sku")
@EndpointDisabled(name = "endpoint.point-lookup", stringValue = "off")
public class LookupResource {
    private static final String SELECT = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";

    // An instance, because the other scenarios have no MariaDB.
    private final InjectableInstance<AgroalDataSource> database;
    private final List<String> candidates;

    LookupResource(
            @DataSource("mariadb") InjectableInstance<AgroalDataSource> database,
            @ConfigProperty(name = "webdyno.skus") List<String> candidates) {
        this.database = database;
        this.candidates = candidates;
    }

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String sku(@Context UriInfo uri) throws SQLException {
        // To @RestQuery, an empty one is none.
        String id = uri.getQueryParameters().getFirst("id");
        return find(id == null ? draw() : id).orElseThrow(NotFoundException::new);
    }

    private String draw() {
        return candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
    }

    private Optional<String> find(String id) throws SQLException {
        try (Connection connection = database.getActive().getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT)) {
            statement.setString(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }
}
