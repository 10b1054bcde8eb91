package webdyno.spring.middleware

import org.springframework.beans.factory.BeanRegistrarDsl
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.context.annotation.Profile
import org.springframework.web.server.CoWebFilter
import org.springframework.web.server.CoWebFilterChain
import org.springframework.web.server.ServerWebExchange

/** Counts a request and passes it on. */
class CountingFilter(private val counts: Counts) : CoWebFilter() {
    override suspend fun filter(exchange: ServerWebExchange, chain: CoWebFilterChain) {
        counts.pass()
        chain.filter(exchange)
    }
}

/** As many filters as every request is to pass: WebFlux's counterpart of a middleware. */
class CountingFilters :
    BeanRegistrarDsl({
        repeat(env.getRequiredProperty("WEBDYNO_MIDDLEWARE").toInt()) { number ->
            registerBean<CountingFilter>("countingFilter$number") { CountingFilter(bean<Counts>()) }
        }
    })

@Configuration(proxyBeanMethods = false)
@Profile("middleware")
@Import(CountingFilters::class)
class MiddlewareConfiguration
