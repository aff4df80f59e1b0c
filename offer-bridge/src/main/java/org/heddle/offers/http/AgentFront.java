// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.Supplier;
import org.heddle.offers.agent.Frames;
import org.heddle.offers.master.AgentDesk;
import org.heddle.offers.master.AgentLink;
import org.jspecify.annotations.Nullable;

/** The port that agents connect to. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes its connection
public final class AgentFront implements AutoCloseable {
    /** Frames that go out with one system call when they come fast. */
    private static final int MOST_WRITES = 64;

    private final EventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("bridge-agents", true));
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private @Nullable Channel server;

    public InetSocketAddress open(InetSocketAddress address, @Nullable Tls tls, Supplier<@Nullable AgentDesk> desks)
            throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        AgentDesk desk = desks.get();
                        if (desk == null) {
                            // Not ready yet; the agent tries again.
                            channel.close();
                            return;
                        }
                        channels.add(channel);
                        if (tls != null) {
                            channel.pipeline().addLast(tls.server().newHandler(channel.alloc()));
                        }
                        channel.pipeline()
                                .addLast(new FlushConsolidationHandler(MOST_WRITES, true))
                                .addLast(new LengthFieldBasedFrameDecoder(Frames.LARGEST, 0, 4, 0, 4))
                                .addLast(new Line(desk));
                    }
                });
        server = Binding.bind(bootstrap, address);
        return (InetSocketAddress) server.localAddress();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close().awaitUninterruptibly();
        }
        channels.close().awaitUninterruptibly(2_000);
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).awaitUninterruptibly(3_000);
    }

    private static final class Line extends SimpleChannelInboundHandler<ByteBuf> implements AgentLink {
        private final AgentDesk desk;
        private @Nullable Channel channel;
        private boolean introduced;

        Line(AgentDesk desk) {
            this.desk = desk;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            byte[] frame = new byte[bytes.readableBytes()];
            bytes.readBytes(frame);
            if (frame.length == 0 || introduced == (frame[0] == Frames.HELLO)) {
                context.close();
            } else if (!introduced) {
                introduced = true;
                desk.hello(Arrays.copyOfRange(frame, 1, frame.length), this);
            } else {
                desk.frame(this, frame);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            desk.gone(this);
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
