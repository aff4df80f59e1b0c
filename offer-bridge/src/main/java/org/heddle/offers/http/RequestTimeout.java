// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client does not finish its request, or is idle for too long between requests. A connection
 * whose request has not been answered completely, an event stream among them, stays open.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing needs no answer
final class RequestTimeout extends ChannelDuplexHandler {
    private final long requestMillis;
    private final long idleMillis;
    private boolean authenticated;
    private int unanswered;
    private @Nullable ScheduledFuture<?> timer;

    /**
     * @param requestMillis longest time from the connection, or from the headers, to the end of a request; also the
     *     longest idle time of a client that has not authenticated itself
     * @param idleMillis longest idle time of a client that has
     */
    RequestTimeout(long requestMillis, long idleMillis) {
        this.requestMillis = requestMillis;
        this.idleMillis = idleMillis;
    }

    /** Called when the client of this connection has authenticated. */
    static void authenticated(ChannelHandlerContext context) {
        RequestTimeout timeout = context.pipeline().get(RequestTimeout.class);
        if (timeout != null) {
            timeout.authenticated = true;
        }
        Strangers.known(context.pipeline());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        closeIn(context, requestMillis);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        cancel();
    }

    private void closeIn(ChannelHandlerContext context, long millis) {
        cancel();
        timer = context.executor().schedule(() -> context.close(), millis, TimeUnit.MILLISECONDS);
    }

    private void idle(ChannelHandlerContext context) {
        closeIn(context, authenticated ? idleMillis : requestMillis);
    }

    private void cancel() {
        ScheduledFuture<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
            closeIn(context, requestMillis);
        }
        if (message instanceof LastHttpContent) {
            if (unanswered == 0) {
                // A refused request is answered before its body has come.
                idle(context);
            } else {
                cancel();
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean continues = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof LastHttpContent && !continues) {
            unanswered = Math.max(0, unanswered - 1);
            if (unanswered == 0) {
                idle(context);
            }
        }
        context.write(message, promise);
    }
}
