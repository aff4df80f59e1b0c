// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a request by its headers, before its body uses memory: the principal, and the signs that a browser was made
 * to send it (DNS rebinding, cross-origin). While a secret is checked in {@link Credentials}' own thread, the
 * requests of the same connection wait.
 */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on
public final class RequestGuard extends ChannelInboundHandlerAdapter {
    /** The principal that the current request of the connection has proven; empty without authentication. */
    static final AttributeKey<String> PRINCIPAL = AttributeKey.valueOf(RequestGuard.class, "principal");

    /** Endpoints without authentication: health and version. */
    private static final Set<String> OPEN = Set.of("/health", "/master/health", "/version", "/master/version");

    private final @Nullable Credentials credentials;
    private final String hostname;
    private final Queue<Object> held = new ArrayDeque<>();
    private boolean deciding;
    private boolean refused;

    /**
     * @param credentials null if every client may call
     * @param hostname the bridge's own name, which clients may use for it
     */
    public RequestGuard(@Nullable Credentials credentials, String hostname) {
        this.credentials = credentials;
        this.hostname = hostname;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (deciding) {
            held.add(message);
        } else if (message instanceof HttpRequest request) {
            decide(context, request);
        } else {
            passOrDrop(context, message);
        }
    }

    private void decide(ChannelHandlerContext context, HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            refuse(context, request, HttpResponseStatus.BAD_REQUEST, "The request is not valid HTTP");
            context.close();
            return;
        }
        String problem = foreign(request);
        if (problem != null) {
            refuse(context, request, HttpResponseStatus.FORBIDDEN, problem);
            return;
        }
        Credentials known = credentials;
        if (known == null) {
            pass(context, request, "");
            return;
        }
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        String proven = known.proven(header);
        if (proven != null) {
            pass(context, request, proven);
        } else if (OPEN.contains(path(request)) && !hasBody(request)) {
            context.channel().attr(PRINCIPAL).set("");
            context.fireChannelRead(request);
        } else if (header == null) {
            refuse(context, request, HttpResponseStatus.UNAUTHORIZED, "");
        } else {
            deciding = true;
            context.channel().config().setAutoRead(false);
            InetSocketAddress client = (InetSocketAddress) context.channel().remoteAddress();
            known.prove(header, client.getAddress().getHostAddress())
                    .whenComplete((principal, error) ->
                            context.executor().execute(() -> decided(context, request, principal, error)));
        }
    }

    private void decided(
            ChannelHandlerContext context, HttpRequest request, @Nullable String principal, @Nullable Throwable error) {
        deciding = false;
        if (error != null) {
            refuse(
                    context,
                    request,
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "Too many secrets are being checked: try again later");
        } else if (principal == null) {
            refuse(context, request, HttpResponseStatus.UNAUTHORIZED, "");
        } else {
            pass(context, request, principal);
        }
        while (!deciding && !held.isEmpty()) {
            channelRead(context, held.remove());
        }
        context.fireChannelReadComplete();
        if (!deciding) {
            context.channel().config().setAutoRead(true);
        }
    }

    private void pass(ChannelHandlerContext context, HttpRequest request, String principal) {
        RequestTimeout.authenticated(context);
        context.channel().attr(PRINCIPAL).set(principal);
        context.fireChannelRead(request);
    }

    /** Answers at once and discards the body when it arrives. */
    private void refuse(ChannelHandlerContext context, HttpRequest request, HttpResponseStatus status, String message) {
        refused = !(request instanceof LastHttpContent);
        if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
            Responses.unauthorized(context, credentials != null && credentials.acceptTickets());
        } else {
            Responses.send(context, status, message);
        }
        if (HttpUtil.is100ContinueExpected(request)) {
            // The client does not send its body now, so the end of the request is not known.
            context.close();
        }
        ReferenceCountUtil.release(request);
    }

    private void passOrDrop(ChannelHandlerContext context, Object message) {
        if (!refused) {
            context.fireChannelRead(message);
            return;
        }
        refused = !(message instanceof LastHttpContent);
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        held.forEach(ReferenceCountUtil::release);
        held.clear();
        context.fireChannelInactive();
    }

    private static boolean hasBody(HttpRequest request) {
        return HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0;
    }

    private static String path(HttpRequest request) {
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }

    /**
     * The reason to assume that a browser was made to send this request, or null. Without credentials the bridge
     * answers only under its own names: a page whose name was changed to point to this machine sends that other name.
     * With credentials such a page lacks them.
     */
    private @Nullable String foreign(HttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        if (origin != null && !authority(origin).equalsIgnoreCase(host)) {
            return "The request comes from a page of '" + origin + "', which is not this bridge";
        }
        String name = withoutPort(host);
        if (credentials != null || name.isEmpty() || isOwn(name)) {
            return null;
        }
        return "The host '" + host + "' is not a name of this bridge: use an address, localhost, or set"
                + " heddle.bridge.hostname";
    }

    private boolean isOwn(String name) {
        return name.equals("localhost")
                || name.equals(hostname.toLowerCase(Locale.ROOT))
                || NetUtil.isValidIpV4Address(name)
                || NetUtil.isValidIpV6Address(name);
    }

    private static String authority(String origin) {
        try {
            String found = URI.create(origin).getRawAuthority();
            return found == null ? "" : found;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String withoutPort(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0 ? lower : lower.substring(1, end);
        }
        int colon = lower.indexOf(':');
        return colon < 0 ? lower : lower.substring(0, colon);
    }
}
