package webdyno.spring.files;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.ResourceTransformerChain;

/** GET /PATH: the files of a folder, as static resources of Spring's. */
@Configuration(proxyBeanMethods = false)
@Profile("static")
class FilesConfiguration implements WebMvcConfigurer {
    private final String folder;

    FilesConfiguration(@Value("${WEBDYNO_STATIC}") String folder) {
        this.folder = folder;
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/**")
                .addResourceLocations("file:" + folder + "/")
                .resourceChain(false)
                .addTransformer(FilesConfiguration::readWhole);
    }

    /**
     * A file is read whole, and then its length is that of what was read. By itself Spring sends a
     * length and only then reads the file, which may have been replaced by a longer one.
     */
    private static Resource readWhole(
            HttpServletRequest request, Resource resource, ResourceTransformerChain chain)
            throws IOException {
        return ReadFile.of(chain.transform(request, resource));
    }
}
