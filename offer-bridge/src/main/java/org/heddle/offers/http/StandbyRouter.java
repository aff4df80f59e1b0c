// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Redirects the requests of one connection to the bridge that leads. */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
public final class StandbyRouter extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final Supplier<@Nullable String> leader;

    /** @param leader host:port, or null while there is none */
    public StandbyRouter(Supplier<@Nullable String> leader) {
        this.leader = leader;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        String path = new QueryStringDecoder(request.uri()).rawPath();
        String known = leader.get();
        if (path.equals("/health") || path.equals("/master/health")) {
            Responses.send(context, HttpResponseStatus.OK, "");
        } else if (known == null) {
            Responses.send(
                    context, HttpResponseStatus.SERVICE_UNAVAILABLE, "No bridge leads at the moment: try again later");
        } else {
            boolean bare = path.endsWith("/redirect");
            Responses.redirect(context, "//" + known + (bare ? "" : request.uri()));
        }
        // Otherwise a client could keep this connection until this bridge leads.
        context.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
