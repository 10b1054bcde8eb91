package webdyno.spring.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** A file that was read whole, so that its length is that of what was read. */
final class ReadFile extends ByteArrayResource {
    private final String name;
    private final long modified;

    private ReadFile(String name, long modified, byte[] content) {
        super(content);
        this.name = name;
        this.modified = modified;
    }

    /** Reads it; one that has been removed since it was found is answered with 404. */
    static ReadFile of(Resource file) throws IOException {
        try {
            // Asked before the bytes: of a file that is replaced in between it is the older one's.
            long modified = file.lastModified();
            return new ReadFile(file.getFilename(), modified, file.getContentAsByteArray());
        } catch (FileNotFoundException | NoSuchFileException gone) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, null, gone);
        }
    }

    @Override
    public String getFilename() {
        return name;
    }

    @Override
    public long lastModified() {
        return modified;
    }
}
