// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.master.AgentRegistry;
import org.heddle.offers.master.state.AgentLink;
import org.jspecify.annotations.Nullable;

/** The port to which agents connect. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes its connection
public final class AgentServer implements AutoCloseable {
    private final NettyServer listener = new NettyServer("bridge-agents", 1);

    /**
     * Opens the port. While there is no registry, connections are closed and agents try again.
     *
     * @throws IOException one sentence that names the address
     */
    public InetSocketAddress open(
            InetSocketAddress address, @Nullable Tls tls, Supplier<@Nullable AgentRegistry> registries)
            throws IOException {
        return listener.open(address, Integer.MAX_VALUE, tls, () -> {
            AgentRegistry registry = registries.get();
            return registry == null
                    ? null
                    : List.of(new LengthFieldBasedFrameDecoder(AgentProtocol.LARGEST, 0, 4, 0, 4), new Line(registry));
        });
    }

    @Override
    public void close() {
        listener.close();
    }

    private static final class Line extends SimpleChannelInboundHandler<ByteBuf> implements AgentLink {
        private final AgentRegistry registry;
        private @Nullable Channel channel;
        private boolean greeted;

        Line(AgentRegistry registry) {
            this.registry = registry;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            byte[] frame = new byte[bytes.readableBytes()];
            bytes.readBytes(frame);
            if (frame.length == 0 || greeted == (frame[0] == AgentProtocol.HELLO)) {
                context.close();
            } else if (!greeted) {
                greeted = true;
                registry.hello(Arrays.copyOfRange(frame, 1, frame.length), this);
            } else {
                registry.frame(this, frame);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            registry.gone(this);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        @Override
        public void send(byte[] frame) {
            Channel to = channel;
            if (to != null) {
                to.writeAndFlush(Unpooled.wrappedBuffer(frame), to.voidPromise());
            }
        }

        @Override
        public void close() {
            Channel to = channel;
            if (to != null) {
                to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> to.close());
            }
        }
    }
}
