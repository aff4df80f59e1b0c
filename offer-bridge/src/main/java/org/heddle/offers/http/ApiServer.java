// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HTTP server of the scheduler API, the operator API and the pages. */
public final class ApiServer implements AutoCloseable {
    private final NettyServer listener = new NettyServer("bridge-http", 2);

    /**
     * What one connection, and all of them, may use.
     *
     * @param largestBody of a request, in bytes
     * @param mostConnections connections at once
     * @param mostStrangers of these, connections from one address whose clients have not authenticated themselves
     * @param requestMillis longest time until a client has sent a whole request, in ms; also its longest idle time
     *     before it has authenticated itself
     * @param idleMillis longest idle time between the requests of a connection, in ms
     */
    public record Limits(int largestBody, int mostConnections, int mostStrangers, long requestMillis, long idleMillis) {
        /**
         * A body of 4 MiB holds hundreds of tasks, and 30 s are enough for it over a slow line. 10,000 connections are
         * ten for each framework that a bridge takes; a quarter of them for the strangers of one address, because
         * frameworks behind one address may all come back at once. 10 minutes are for clients that keep their
         * connections between tasks.
         */
        public static final Limits USUAL = new Limits(4 << 20, 10_000, 2_500, 30_000, 600_000);
    }

    /**
     * The handlers of one connection.
     *
     * @param guard sees the headers of requests before their bodies are read; null for none
     * @param router gets whole requests; null if the guard answers all of them
     */
    public record Route(
            @Nullable ChannelHandler guard, @Nullable ChannelHandler router) {}

    /**
     * Opens the port; {@code routes} makes the handlers of one connection.
     *
     * @throws IOException one sentence that names the address
     */
    public InetSocketAddress open(
            InetSocketAddress address, Limits limits, @Nullable Tls tls, Supplier<@Nullable Route> routes)
            throws IOException {
        return listener.open(address, limits.mostConnections(), limits.mostStrangers(), tls, () -> {
            Route route = routes.get();
            if (route == null) {
                return null;
            }
            List<ChannelHandler> handlers = new ArrayList<>(List.of(
                    new StrictHttpCodec(),
                    new RequestTimeout(limits.requestMillis(), limits.idleMillis()),
                    new HttpServerKeepAliveHandler()));
            if (route.guard() != null) {
                handlers.add(route.guard());
            }
            if (route.router() != null) {
                handlers.add(new HttpObjectAggregator(limits.largestBody()));
                handlers.add(route.router());
            }
            return handlers;
        });
    }

    @Override
    public void close() {
        listener.close();
    }
}
