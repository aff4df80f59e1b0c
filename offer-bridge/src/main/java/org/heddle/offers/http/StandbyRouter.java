// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Redirects the request of one connection to the bridge that leads. It keeps nothing of the body. */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
public final class StandbyRouter extends SimpleChannelInboundHandler<HttpObject> {
    private final Supplier<@Nullable String> leader;
    private @Nullable String uri;

    /** @param leader host:port, or null while there is none */
    public StandbyRouter(Supplier<@Nullable String> leader) {
        this.leader = leader;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        boolean waits = false;
        if (message instanceof HttpRequest request) {
            uri = request.uri();
            waits = HttpUtil.is100ContinueExpected(request);
        }
        String asked = uri;
        // Many clients read no answer before they have sent the whole body.
        if (asked != null && (waits || message instanceof LastHttpContent)) {
            uri = null;
            answer(context, asked);
        }
    }

    private void answer(ChannelHandlerContext context, String asked) {
        String path = new QueryStringDecoder(asked).rawPath();
        String known = leader.get();
        if (path.equals("/health") || path.equals("/master/health")) {
            Responses.send(context, HttpResponseStatus.OK, "");
        } else if (known == null) {
            Responses.send(
                    context, HttpResponseStatus.SERVICE_UNAVAILABLE, "No bridge leads at the moment: try again later");
        } else {
            boolean bare = path.endsWith("/redirect");
            Responses.redirect(context, "//" + known + (bare ? "" : asked));
        }
        // Otherwise a client could keep this connection until this bridge leads.
        context.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
