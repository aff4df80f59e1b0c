// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.state.AgentLink;
import org.jspecify.annotations.Nullable;

/** The port to which agents connect. Connections that do not introduce themselves in time are closed. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes its connection
public final class AgentServer implements AutoCloseable {
    /** Maximum size of the first frame, in bytes: the agent's secret and the keys of its processes. */
    private static final int LARGEST_HELLO = 1 << 20;

    private static final long HELLO_MILLIS = 30_000;

    /** From one address; others are closed, and agents try again. */
    private static final int MOST_STRANGERS = 64;

    private final NettyServer listener = new NettyServer("bridge-agents", 1);
    private final long helloMillis;

    public AgentServer() {
        this(HELLO_MILLIS);
    }

    /** @param helloMillis longest time from the connection to the agent's first frame, in ms */
    AgentServer(long helloMillis) {
        this.helloMillis = helloMillis;
    }

    /**
     * Opens the port. While there is no registry, connections are closed and agents try again.
     *
     * @throws IOException one sentence that names the address
     */
    public InetSocketAddress open(
            InetSocketAddress address, @Nullable Tls tls, Supplier<@Nullable AgentRegistry> registries)
            throws IOException {
        return listener.open(address, Integer.MAX_VALUE, MOST_STRANGERS, tls, () -> {
            AgentRegistry registry = registries.get();
            if (registry == null) {
                return null;
            }
            Line line = new Line(registry, helloMillis);
            return List.of(new Frames(line), line);
        });
    }

    @Override
    public void close() {
        listener.close();
    }

    /** Frames of a connection that has not introduced itself must be small: it needs no secret to send them. */
    private static final class Frames extends LengthFieldBasedFrameDecoder {
        private final Line line;

        Frames(Line line) {
            super(AgentProtocol.LARGEST_OF_AGENT, 0, 4, 0, 4);
            this.line = line;
        }

        @Override
        protected long getUnadjustedFrameLength(ByteBuf bytes, int offset, int length, ByteOrder order) {
            long size = super.getUnadjustedFrameLength(bytes, offset, length, order);
            if (!line.greeted && size > LARGEST_HELLO) {
                throw new TooLongFrameException("a first frame of " + size + " bytes");
            }
            return size;
        }
    }

    private static final class Line extends SimpleChannelInboundHandler<ByteBuf> implements AgentLink {
        private final AgentRegistry registry;
        private final long helloMillis;
        private @Nullable Channel channel;
        private boolean greeted;

        Line(AgentRegistry registry, long helloMillis) {
            this.registry = registry;
            this.helloMillis = helloMillis;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            context.executor()
                    .schedule(
                            () -> {
                                if (!greeted) {
                                    context.close();
                                }
                            },
                            helloMillis,
                            TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            byte[] frame = new byte[bytes.readableBytes()];
            bytes.readBytes(frame);
            if (frame.length == 0 || greeted == (frame[0] == AgentProtocol.HELLO)) {
                context.close();
            } else if (!greeted) {
                greeted = true;
                // Until the registry knows it, nothing more is read.
                context.channel().config().setAutoRead(false);
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

        /** The registry sends only to agents that it knows. */
        @Override
        public void send(byte[] frame) {
            Channel to = channel;
            if (to != null) {
                Strangers.known(to.pipeline());
                to.config().setAutoRead(true);
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
