package webdyno.spring.files

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer
import org.springframework.web.servlet.resource.ResourceTransformer

/**
 * A file is read whole, and then its length is that of what was read. By itself Spring sends a length
 * and only then reads the file, which may have been replaced by a longer one.
 */
private val readWhole = ResourceTransformer { request, resource, chain ->
    ReadFile.of(chain.transform(request, resource))
}

/** GET /PATH: the files of a folder, as static resources of Spring's. */
@Configuration(proxyBeanMethods = false)
@Profile("static")
class FilesConfiguration(@param:Value("\${WEBDYNO_STATIC}") private val folder: String) : WebMvcConfigurer {
    override fun addResourceHandlers(registry: ResourceHandlerRegistry) {
        registry
            .addResourceHandler("/**")
            .addResourceLocations("file:$folder/")
            .resourceChain(false)
            .addTransformer(readWhole)
    }
}
