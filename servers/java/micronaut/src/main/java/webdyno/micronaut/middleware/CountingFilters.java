package webdyno.micronaut.middleware;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.web.router.ServerFilterRouteBuilder;
import jakarta.inject.Singleton;

/**
 * As many filters as every request is to pass, registered with the builder that Micronaut has for
 * the methods of {@code @ServerFilter} beans: their number is known at the start only.
 */
@Singleton
@Requires(property = "webdyno.scenario", value = "middleware")
class CountingFilters implements BeanCreatedEventListener<ServerFilterRouteBuilder> {
    private final BeanContext context;
    private final int wanted;

    CountingFilters(BeanContext context, @Value("${WEBDYNO_MIDDLEWARE}") int wanted) {
        this.context = context;
        this.wanted = wanted;
    }

    @Override
    public ServerFilterRouteBuilder onCreated(BeanCreatedEvent<ServerFilterRouteBuilder> event) {
        ServerFilterRouteBuilder filters = event.getBean();
        BeanDefinition<CountingFilter> filter = context.getBeanDefinition(CountingFilter.class);
        for (int number = 0; number < wanted; number++) {
            filters.process(filter, filter.getRequiredMethod("count"));
        }
        return filters;
    }
}
