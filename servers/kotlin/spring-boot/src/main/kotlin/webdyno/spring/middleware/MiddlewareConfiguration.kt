package webdyno.spring.middleware

import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.HttpServletResponse
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.web.servlet.HandlerInterceptor
import org.springframework.web.servlet.config.annotation.InterceptorRegistry
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer

/** Counts a request and lets it pass. */
private class CountingInterceptor(private val counts: Counts) : HandlerInterceptor {
    override fun preHandle(
        request: HttpServletRequest,
        response: HttpServletResponse,
        handler: Any,
    ): Boolean {
        counts.pass()
        return true
    }
}

/** As many interceptors as every request is to pass: Spring MVC's counterpart of a middleware. */
@Configuration(proxyBeanMethods = false)
@Profile("middleware")
class MiddlewareConfiguration(
    private val counts: Counts,
    @param:Value("\${WEBDYNO_MIDDLEWARE}") private val wanted: Int,
) : WebMvcConfigurer {
    override fun addInterceptors(registry: InterceptorRegistry) {
        repeat(wanted) {
            // An unknown path is dispatched once more, to Spring's own page of errors.
            registry.addInterceptor(CountingInterceptor(counts)).excludePathPatterns("/error")
        }
    }
}
