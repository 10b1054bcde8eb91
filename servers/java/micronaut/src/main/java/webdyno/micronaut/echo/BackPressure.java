package webdyno.micronaut.echo;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import jakarta.inject.Singleton;

/** Reads no more messages of a client that does not read its answers, until it does. */
@Singleton
@Requires(property = "webdyno.scenario", value = "websocket-echo")
final class BackPressure implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    @Override
    public NettyServerCustomizer.Registry onCreated(
            BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(new Customizer(null));
        return registry;
    }

    /** The first one has no connection: it makes one for each. */
    private record Customizer(Channel connection) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
            return new Customizer(channel);
        }

        @Override
        public void onStreamPipelineBuilt() {
            connection.pipeline().addFirst(new ReadsWhileWritable());
        }
    }

    private static final class ReadsWhileWritable extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            Channel connection = context.channel();
            connection.config().setAutoRead(connection.isWritable());
            context.fireChannelWritabilityChanged();
        }
    }
}
