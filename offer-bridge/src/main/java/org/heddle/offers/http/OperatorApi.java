// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import org.apache.mesos.v1.master.Protos.Call;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.OperatorReport;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;

/** {@code POST /api/v1}: what operators and their tools read. What would change something is refused. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
final class OperatorApi {
    private final Master master;

    OperatorApi(Master master) {
        this.master = master;
    }

    /** @param viewer principal whose frameworks are shown; empty for all */
    void handle(ChannelHandlerContext context, FullHttpRequest request, String viewer) {
        Encoding encoding = Encoding.ofContentType(Router.contentType(request));
        if (encoding == null) {
            Answers.send(
                    context,
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Expecting 'Content-Type' of application/json or application/x-protobuf");
            return;
        }
        Encoding accept = Encoding.ofAccept(request.headers().get(HttpHeaderNames.ACCEPT));
        if (accept == null) {
            Answers.send(
                    context,
                    HttpResponseStatus.NOT_ACCEPTABLE,
                    "Expecting 'Accept' to allow application/json or application/x-protobuf");
            return;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(ByteBufUtil.getBytes(request.content()), builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            Answers.send(context, HttpResponseStatus.BAD_REQUEST, "Failed to parse body into Call: " + e.getMessage());
            return;
        }
        master.look(viewer, view -> Optional.ofNullable(OperatorReport.answer(call, view)))
                .whenComplete((answer, error) -> {
                    if (error != null) {
                        Answers.send(
                                context,
                                HttpResponseStatus.INTERNAL_SERVER_ERROR,
                                "The state cannot be shown: " + error);
                    } else if (answer.isEmpty()) {
                        Answers.send(
                                context,
                                HttpResponseStatus.NOT_IMPLEMENTED,
                                "Call " + call.getType()
                                        + " is not supported by the offer bridge: it answers GET_HEALTH,"
                                        + " GET_VERSION, GET_MASTER, GET_METRICS, GET_AGENTS, GET_FRAMEWORKS,"
                                        + " GET_EXECUTORS, GET_TASKS and GET_STATE");
                    } else {
                        Answers.send(context, HttpResponseStatus.OK, accept.mediaType(), accept.encode(answer.get()));
                    }
                });
    }
}
