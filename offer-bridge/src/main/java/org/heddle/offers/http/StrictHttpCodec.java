// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpStatusClass;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Netty's HttpServerCodec, which additionally refuses a request with both Content-Length and Transfer-Encoding: a
 * proxy in front of the bridge may see another end of such a request than the bridge (RFC 9112, section 6.1).
 */
final class StrictHttpCodec extends CombinedChannelDuplexHandler<HttpRequestDecoder, HttpResponseEncoder> {
    /** Methods of the requests that are not answered yet: answers to HEAD have no body. */
    private final Queue<HttpMethod> methods = new ArrayDeque<>();

    StrictHttpCodec() {
        init(new Decoder(), new Encoder());
    }

    private final class Decoder extends HttpRequestDecoder {
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            int before = out.size();
            super.decode(context, in, out);
            for (Object message : out.subList(before, out.size())) {
                if (message instanceof HttpRequest request) {
                    methods.add(request.method());
                }
            }
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("Both Content-Length and Transfer-Encoding are present");
        }
    }

    private final class Encoder extends HttpResponseEncoder {
        @Override
        protected boolean isContentAlwaysEmpty(HttpResponse response) {
            if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                return super.isContentAlwaysEmpty(response);
            }
            return HttpMethod.HEAD.equals(methods.poll()) || super.isContentAlwaysEmpty(response);
        }
    }
}
