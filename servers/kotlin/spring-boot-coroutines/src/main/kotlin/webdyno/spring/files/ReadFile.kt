package webdyno.spring.files

import java.io.FileNotFoundException
import java.nio.file.NoSuchFileException
import org.springframework.core.io.ByteArrayResource
import org.springframework.core.io.Resource
import org.springframework.http.HttpStatus
import org.springframework.web.server.ResponseStatusException

/** A file that was read whole, so that its length is that of what was read. */
class ReadFile
private constructor(private val name: String?, private val modified: Long, content: ByteArray) :
    ByteArrayResource(content) {
    override fun getFilename(): String? = name

    override fun lastModified(): Long = modified

    companion object {
        /** Reads it; one that has been removed since it was found is answered with 404. */
        fun of(file: Resource): ReadFile =
            try {
                // Asked before the bytes: of a file that is replaced in between it is the older one's.
                val modified = file.lastModified()
                ReadFile(file.filename, modified, file.contentAsByteArray)
            } catch (gone: FileNotFoundException) {
                throw missing(gone)
            } catch (gone: NoSuchFileException) {
                throw missing(gone)
            }

        private fun missing(gone: Exception) =
            ResponseStatusException(HttpStatus.NOT_FOUND, null, gone)
    }
}
