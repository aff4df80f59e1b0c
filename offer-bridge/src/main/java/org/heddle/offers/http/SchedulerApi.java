// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.UUID;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.master.CallCheck;
import org.heddle.offers.master.Master;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/v1/scheduler}. */
public final class SchedulerApi {
    private static final String STREAM_ID = "Mesos-Stream-Id";

    private final Master master;

    public SchedulerApi(Master master) {
        this.master = master;
    }

    /** Answers one call, at once or later; returns the stream if this opens one. */
    @Nullable
    Stream handle(ChannelHandlerContext context, FullHttpRequest request) {
        String type = Router.contentType(request);
        if (type.isEmpty()) {
            Answers.send(context, HttpResponseStatus.BAD_REQUEST, "Expecting 'Content-Type' to be present");
            return null;
        }
        Encoding encoding = Encoding.ofContentType(type);
        if (encoding == null) {
            Answers.send(
                    context,
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Expecting 'Content-Type' of application/json or application/x-protobuf");
            return null;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(ByteBufUtil.getBytes(request.content()), builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            Answers.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Failed to parse body into Call " + encoding.name() + ": " + e.getMessage());
            return null;
        }
        String problem = CallCheck.problem(call);
        if (problem != null) {
            Answers.send(context, HttpResponseStatus.BAD_REQUEST, "Failed to validate scheduler::Call: " + problem);
            return null;
        }
        String streamId = request.headers().get(STREAM_ID);
        if (call.getType() == Call.Type.SUBSCRIBE) {
            return subscribe(context, request, call, streamId);
        }
        if (streamId == null) {
            Answers.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "All non-subscribe calls should include the '" + STREAM_ID + "' header");
            return null;
        }
        master.call(
                call,
                streamId,
                (status, message) -> Answers.send(context, HttpResponseStatus.valueOf(status), message));
        return null;
    }

    private @Nullable Stream subscribe(
            ChannelHandlerContext context, FullHttpRequest request, Call call, @Nullable String streamId) {
        if (streamId != null) {
            Answers.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Subscribe calls should not include the '" + STREAM_ID + "' header");
            return null;
        }
        Encoding accept = Encoding.ofAccept(request.headers().get(HttpHeaderNames.ACCEPT));
        if (accept == null) {
            Answers.send(
                    context,
                    HttpResponseStatus.NOT_ACCEPTABLE,
                    "Expecting 'Accept' to allow application/json or application/x-protobuf");
            return null;
        }
        Stream stream = new Stream(context, accept, UUID.randomUUID().toString());
        master.subscribe(call, stream.id(), stream);
        return stream;
    }

    void ended(Stream stream) {
        master.disconnected(stream.id());
    }
}
