// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import com.google.protobuf.Message;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event stream of a scheduler or an operator: one RecordIO record in each HTTP chunk, as clients expect. A client
 * that leaves too many bytes unread for too long is disconnected. A single event may be large, such as the state of a
 * cluster.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes its connection
final class EventStream<E extends Message> implements EventSink<E> {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

    private static final long CONGESTED_SECONDS = 30;

    private final ChannelHandlerContext context;
    private final Channel channel;
    private final Encoding encoding;
    private final String id;
    /** Set while the client leaves too many bytes unread; only the event loop of the channel uses it. */
    private @Nullable ScheduledFuture<?> disconnect;
    /** Whether the client has got its first event, before which it expects no other. */
    private volatile boolean begun;

    EventStream(ChannelHandlerContext context, Encoding encoding, String id) {
        this.context = context;
        this.channel = context.channel();
        this.encoding = encoding;
        this.id = id;
    }

    String id() {
        return id;
    }

    @Override
    public void open(String streamId) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        // Clients compare the header byte by byte, so it has no parameters.
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, encoding.mediaType())
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
                .set("Mesos-Stream-Id", streamId);
        channel.writeAndFlush(response, channel.voidPromise());
    }

    @Override
    public void refuse(int status, String message) {
        Responses.send(context, HttpResponseStatus.valueOf(status), message);
    }

    @Override
    public void send(E event) {
        channel.writeAndFlush(
                new DefaultHttpContent(Unpooled.wrappedBuffer(encoding.record(event))), channel.voidPromise());
        begun = true;
    }

    @Override
    public void beat(E event) {
        if (begun) {
            send(event);
        }
    }

    /** Whether the client leaves too many bytes unread; called in the event loop of the channel. */
    void setCongested(boolean congested) {
        ScheduledFuture<?> before = disconnect;
        if (congested && before == null) {
            disconnect = channel.eventLoop()
                    .schedule(
                            () -> {
                                LOG.warn("{} does not read its events: disconnected", channel.remoteAddress());
                                channel.close();
                            },
                            CONGESTED_SECONDS,
                            TimeUnit.SECONDS);
        } else if (!congested && before != null) {
            before.cancel(false);
            disconnect = null;
        }
    }

    @Override
    public void close() {
        channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(done -> channel.close());
    }
}
