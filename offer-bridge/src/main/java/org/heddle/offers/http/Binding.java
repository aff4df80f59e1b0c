// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens ports, with an error that says which. */
final class Binding {
    private Binding() {}

    static Channel bind(ServerBootstrap bootstrap, InetSocketAddress address) throws IOException {
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new IOException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage()
                            + "; choose another with heddle.bridge.http.address or heddle.bridge.agent.address",
                    cause);
        }
        return bound.channel();
    }
}
