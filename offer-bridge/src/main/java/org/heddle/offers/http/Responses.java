// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** Sends complete HTTP responses. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes its connection
final class Responses {
    private Responses() {}

    static void send(ChannelHandlerContext context, HttpResponseStatus status, String message) {
        send(context, status, "text/plain; charset=utf-8", message.getBytes(StandardCharsets.UTF_8));
    }

    static void send(ChannelHandlerContext context, HttpResponseStatus status, String type, byte[] body) {
        FullHttpResponse response = response(status, body);
        if (body.length > 0) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        }
        context.channel().writeAndFlush(response);
    }

    static void notAllowed(ChannelHandlerContext context, String allowed) {
        byte[] body = ("Expecting one of { '" + allowed + "' }").getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response = response(HttpResponseStatus.METHOD_NOT_ALLOWED, body);
        response.headers().set(HttpHeaderNames.ALLOW, allowed);
        context.channel().writeAndFlush(response);
    }

    static void page(ChannelHandlerContext context, ConsolePage page) {
        FullHttpResponse response = response(HttpResponseStatus.OK, page.page());
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/html; charset=utf-8")
                .set("Content-Security-Policy", page.policy())
                .set("Referrer-Policy", "no-referrer");
        context.channel().writeAndFlush(response);
    }

    static void unauthorized(ChannelHandlerContext context, boolean tickets) {
        FullHttpResponse response = response(
                HttpResponseStatus.UNAUTHORIZED,
                "Expecting an 'Authorization' of a principal that this bridge knows".getBytes(StandardCharsets.UTF_8));
        if (tickets) {
            response.headers().add(HttpHeaderNames.WWW_AUTHENTICATE, "Negotiate");
        }
        response.headers().add(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"heddle-bridge\"");
        context.channel().writeAndFlush(response);
    }

    static void redirect(ChannelHandlerContext context, String location) {
        FullHttpResponse response = response(HttpResponseStatus.TEMPORARY_REDIRECT, new byte[0]);
        response.headers().set(HttpHeaderNames.LOCATION, location);
        context.channel().writeAndFlush(response);
    }

    private static FullHttpResponse response(HttpResponseStatus status, byte[] body) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        // A browser must not take a file of a task for a page.
        response.headers().set("X-Content-Type-Options", "nosniff");
        return response;
    }
}
