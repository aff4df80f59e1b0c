// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/** The encodings of a request and of its response. A request with another encoding gets an error response. */
final class ContentNegotiation {
    private ContentNegotiation() {}

    /** The encoding of the body; null if an error response was sent. */
    static @Nullable Encoding sent(ChannelHandlerContext context, FullHttpRequest request) {
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
        if (type == null || type.isEmpty()) {
            Responses.send(context, HttpResponseStatus.BAD_REQUEST, "Expecting 'Content-Type' to be present");
            return null;
        }
        Encoding encoding = Encoding.ofContentType(type);
        if (encoding == null) {
            Responses.send(
                    context,
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Expecting 'Content-Type' of application/json or application/x-protobuf");
        }
        return encoding;
    }

    /** The encoding of the response; null if an error response was sent. */
    static @Nullable Encoding wanted(ChannelHandlerContext context, FullHttpRequest request) {
        Encoding encoding = Encoding.ofAccept(request.headers().get(HttpHeaderNames.ACCEPT));
        if (encoding == null) {
            Responses.send(
                    context,
                    HttpResponseStatus.NOT_ACCEPTABLE,
                    "Expecting 'Accept' to allow application/json or application/x-protobuf");
        }
        return encoding;
    }
}
