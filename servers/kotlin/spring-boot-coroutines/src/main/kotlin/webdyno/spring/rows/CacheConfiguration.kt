package webdyno.spring.rows

import com.github.benmanes.caffeine.cache.Caffeine
import java.time.Duration
import org.springframework.beans.factory.annotation.Value
import org.springframework.cache.annotation.EnableCaching
import org.springframework.cache.caffeine.CaffeineCacheManager
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile

/** Caffeine behind Spring's cache: each row is kept for a time after it was read. */
@Configuration(proxyBeanMethods = false)
@EnableCaching
@Profile("cached")
class CacheConfiguration {
    @Bean
    fun cacheManager(@Value("\${WEBDYNO_TTL_MS:500}") ttlMs: Long) =
        CaffeineCacheManager("worlds").apply {
            // What a suspending function returns is kept only so.
            setAsyncCacheMode(true)
            setCaffeine(Caffeine.newBuilder().expireAfterWrite(Duration.ofMillis(ttlMs)))
        }
}
