package webdyno.spring.files

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.core.io.Resource
import org.springframework.web.reactive.config.ResourceHandlerRegistry
import org.springframework.web.reactive.config.WebFluxConfigurer
import org.springframework.web.reactive.resource.ResourceTransformer

/**
 * A file is read whole, and then its length is that of what was read. By itself Spring sends a length
 * and only then as much as the file has, which may have been replaced by a longer one.
 */
private val readWhole = ResourceTransformer { exchange, resource, chain ->
    mono<Resource>(Dispatchers.IO) {
        ReadFile.of(chain.transform(exchange, resource).awaitSingle())
    }
}

/** GET /PATH: the files of a folder, as static resources of Spring's. */
@Configuration(proxyBeanMethods = false)
@Profile("static")
class FilesConfiguration(@param:Value("\${WEBDYNO_STATIC}") private val folder: String) : WebFluxConfigurer {
    override fun addResourceHandlers(registry: ResourceHandlerRegistry) {
        registry
            .addResourceHandler("/**")
            .addResourceLocations("file:$folder/")
            .resourceChain(false)
            .addTransformer(readWhole)
    }
}
