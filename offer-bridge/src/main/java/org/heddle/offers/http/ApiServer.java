// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HTTP server of the scheduler API, the operator API and the pages. */
public final class ApiServer implements AutoCloseable {
    private final NettyServer listener = new NettyServer("bridge-http", 2);

    /**
     * Opens the port; {@code routes} makes the handler of one connection.
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
        return listener.open(address, mostConnections, tls, () -> {
            ChannelHandler router = routes.get();
            return router == null
                    ? null
                    : List.of(
                            new HttpServerCodec(),
                            new HttpServerKeepAliveHandler(),
                            new HttpObjectAggregator(largestBody),
                            router);
        });
    }

    @Override
    public void close() {
        listener.close();
    }
}
