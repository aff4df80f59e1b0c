// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.heddle.offers.master.Master;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes requests that {@link RequestGuard} has accepted to their endpoints. */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
public final class Router extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final Master master;
    private final SchedulerApi scheduler;
    private final OperatorApi operator;
    private final HttpEndpoints pages;
    private final @Nullable Credentials credentials;
    private @Nullable EventStream<?> stream;

    /** @param credentials null if every client may call */
    public Router(Master master, SchedulerApi scheduler, HttpEndpoints pages, @Nullable Credentials credentials) {
        this.master = master;
        this.scheduler = scheduler;
        this.operator = new OperatorApi(master);
        this.pages = pages;
        this.credentials = credentials;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            Responses.send(context, HttpResponseStatus.BAD_REQUEST, "The request is not valid HTTP");
            return;
        }
        QueryStringDecoder uri;
        String path;
        try {
            uri = new QueryStringDecoder(request.uri());
            path = uri.path();
            uri.parameters();
        } catch (IllegalArgumentException e) {
            Responses.send(context, HttpResponseStatus.BAD_REQUEST, "The request's address is not valid");
            return;
        }
        String principal = context.channel().attr(RequestGuard.PRINCIPAL).get();
        String caller = principal == null ? "" : principal;
        if (path.equals("/api/v1/scheduler") || path.equals("/master/api/v1/scheduler")) {
            if (!request.method().equals(HttpMethod.POST)) {
                Responses.notAllowed(context, "POST");
                return;
            }
            opened(scheduler.handle(context, request, caller));
            return;
        }
        if (path.equals("/api/v1") || path.equals("/master/api/v1")) {
            if (!request.method().equals(HttpMethod.POST)) {
                Responses.notAllowed(context, "POST");
                return;
            }
            opened(operator.handle(context, request, viewer(caller)));
            return;
        }
        pages.handle(context, request, path, uri.parameters(), viewer(caller));
    }

    private void opened(@Nullable EventStream<?> made) {
        if (made != null) {
            stream = made;
        }
    }

    private String viewer(String caller) {
        Credentials known = credentials;
        return known == null ? "" : known.view(caller);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        EventStream<?> open = stream;
        if (open != null) {
            open.setCongested(!context.channel().isWritable());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        EventStream<?> ended = stream;
        if (ended != null) {
            master.disconnected(ended.id());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A broken connection, or a request that Netty could not read.
        LOG.debug("connection {} closed", context.channel().remoteAddress(), cause);
        context.close();
    }
}
