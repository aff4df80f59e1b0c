// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A port with its threads and connections, with TLS if there is a certificate. */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
final class NettyServer implements AutoCloseable {
    /** Writes that share one flush when they follow each other fast. */
    private static final int MOST_WRITES = 64;

    private static final int LOW_WATER = 1 << 20;
    private static final int HIGH_WATER = 16 << 20;

    private final EventLoopGroup group;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private @Nullable Channel server;

    NettyServer(String name, int threads) {
        group = new NioEventLoopGroup(threads, new DefaultThreadFactory(name, true));
    }

    /**
     * Opens the port; {@code handlers} makes the handlers of one connection, or returns null to close it. They call
     * {@link Strangers#known} when the client has proven who it is.
     *
     * @param mostStrangers connections from one address whose clients have not
     * @throws IOException one sentence that names the address
     */
    InetSocketAddress open(
            InetSocketAddress address,
            int mostConnections,
            int mostStrangers,
            @Nullable Tls tls,
            Supplier<@Nullable List<ChannelHandler>> handlers)
            throws IOException {
        Strangers strangers = new Strangers(mostStrangers);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW_WATER, HIGH_WATER))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        List<ChannelHandler> made = handlers.get();
                        if (made == null || channels.size() >= mostConnections) {
                            channel.close();
                            return;
                        }
                        Strangers.Stranger stranger = strangers.arrived(channel.remoteAddress());
                        channel.pipeline().addLast(stranger);
                        if (!stranger.isWelcome()) {
                            channel.close();
                            return;
                        }
                        channels.add(channel);
                        if (tls != null) {
                            channel.pipeline().addLast(tls.server().newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(new FlushConsolidationHandler(MOST_WRITES, true));
                        made.forEach(handler -> channel.pipeline().addLast(handler));
                    }
                });
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new IOException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage()
                            + "; choose another with heddle.bridge.http.address or heddle.bridge.agent.address",
                    cause);
        }
        server = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close().awaitUninterruptibly();
        }
        channels.close().awaitUninterruptibly(2_000);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(3_000);
    }
}
