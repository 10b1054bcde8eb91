package webdyno.spring.middleware;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** As many interceptors as every request is to pass: Spring MVC's counterpart of a middleware. */
@Configuration(proxyBeanMethods = false)
@Profile("middleware")
class MiddlewareConfiguration implements WebMvcConfigurer {
    private final Counts counts;
    private final int wanted;

    MiddlewareConfiguration(Counts counts, @Value("${WEBDYNO_MIDDLEWARE}") int wanted) {
        this.counts = counts;
        this.wanted = wanted;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        for (int number = 0; number < wanted; number++) {
            // An unknown path is dispatched once more, to Spring's own page of errors.
            registry.addInterceptor(new CountingInterceptor(counts)).excludePathPatterns("/error");
        }
    }
}
