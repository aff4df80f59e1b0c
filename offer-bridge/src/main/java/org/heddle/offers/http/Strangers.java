// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds the connections from one address whose clients have not proven who they are, so that one machine cannot take
 * all places of a port. Thread-safe.
 */
final class Strangers {
    private final int most;
    private final Map<InetAddress, Integer> connections = new ConcurrentHashMap<>();

    /** @param most connections of strangers from one address */
    Strangers(int most) {
        this.most = most;
    }

    /** Counts a new connection. @return its handler, which counts it until it is known or closed */
    Stranger arrived(SocketAddress from) {
        InetAddress address = ((InetSocketAddress) from).getAddress();
        return new Stranger(address, connections.merge(address, 1, Integer::sum) <= most);
    }

    private void leave(InetAddress address) {
        connections.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }

    /** Called when the client of a connection has proven who it is. */
    static void known(ChannelPipeline pipeline) {
        Stranger stranger = pipeline.get(Stranger.class);
        if (stranger != null) {
            stranger.leave();
        }
    }

    /** One connection. */
    final class Stranger extends ChannelInboundHandlerAdapter {
        private final InetAddress address;
        private final boolean welcome;
        private boolean left;

        private Stranger(InetAddress address, boolean welcome) {
            this.address = address;
            this.welcome = welcome;
        }

        /** Whether there was a place for it. */
        boolean isWelcome() {
            return welcome;
        }

        synchronized void leave() {
            if (!left) {
                left = true;
                Strangers.this.leave(address);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            leave();
            context.fireChannelInactive();
        }
    }
}
