// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HTTP server that frameworks and operators talk to. */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
public final class HttpFront implements AutoCloseable {
    /** Events and answers that go out with one system call when they come fast. */
    private static final int MOST_WRITES = 64;

    private static final int LOW_WATER = 1 << 20;
    private static final int HIGH_WATER = 16 << 20;

    private final EventLoopGroup group = new NioEventLoopGroup(2, new DefaultThreadFactory("bridge-http", true));
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private @Nullable Channel server;

    /**
     * Opens the port; {@code routes} makes what answers one connection.
     *
     * @throws IOException one sentence that names the address
     */
    public InetSocketAddress open(
            InetSocketAddress address,
            int largestBody,
            int mostConnections,
            @Nullable Tls tls,
            Supplier<@Nullable ChannelHandler> routes)
            throws IOException {
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
                        ChannelHandler router = routes.get();
                        if (router == null || channels.size() >= mostConnections) {
                            channel.close();
                            return;
                        }
                        channels.add(channel);
                        if (tls != null) {
                            channel.pipeline().addLast(tls.server().newHandler(channel.alloc()));
                        }
                        channel.pipeline()
                                .addLast(new FlushConsolidationHandler(MOST_WRITES, true))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpServerKeepAliveHandler())
                                .addLast(new HttpObjectAggregator(largestBody))
                                .addLast(router);
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
}
