// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.UUID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer.Operation;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.master.CallValidator;
import org.heddle.offers.master.Master;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;
import org.jspecify.annotations.Nullable;

/** Mesos' scheduler API, {@code POST /api/v1/scheduler}. */
public final class SchedulerApi {
    private static final String STREAM_ID = "Mesos-Stream-Id";

    private final Master master;
    private final @Nullable Credentials credentials;

    /** @param credentials null if frameworks may run as any user */
    public SchedulerApi(Master master, @Nullable Credentials credentials) {
        this.master = master;
        this.credentials = credentials;
    }

    /** Answers one call, at once or later; returns the event stream if the call opens one. */
    @Nullable
    EventStream<Event> handle(ChannelHandlerContext context, FullHttpRequest request, String caller) {
        Encoding encoding = ContentNegotiation.sent(context, request);
        if (encoding == null) {
            return null;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(ByteBufUtil.getBytes(request.content()), builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            Responses.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Failed to parse body into Call " + encoding.name() + ": " + e.getMessage());
            return null;
        }
        String problem = CallValidator.problem(call);
        if (problem != null) {
            Responses.send(context, HttpResponseStatus.BAD_REQUEST, "Failed to validate scheduler::Call: " + problem);
            return null;
        }
        String streamId = request.headers().get(STREAM_ID);
        if (call.getType() == Call.Type.SUBSCRIBE) {
            return subscribe(context, request, call, streamId, caller);
        }
        if (streamId == null) {
            Responses.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "All non-subscribe calls should include the '" + STREAM_ID + "' header");
            return null;
        }
        String refusal;
        if (call.getType() == Call.Type.UPDATE_FRAMEWORK) {
            refusal = refusal(call.getUpdateFramework().getFrameworkInfo(), caller);
        } else {
            refusal = refusal(call.getAccept(), caller);
        }
        if (refusal != null) {
            Responses.send(context, HttpResponseStatus.FORBIDDEN, refusal);
            return null;
        }
        master.call(
                call,
                streamId,
                caller,
                (status, message) -> Responses.send(context, HttpResponseStatus.valueOf(status), message));
        return null;
    }

    private @Nullable EventStream<Event> subscribe(
            ChannelHandlerContext context,
            FullHttpRequest request,
            Call call,
            @Nullable String streamId,
            String caller) {
        if (streamId != null) {
            Responses.send(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Subscribe calls should not include the '" + STREAM_ID + "' header");
            return null;
        }
        Encoding accept = ContentNegotiation.wanted(context, request);
        if (accept == null) {
            return null;
        }
        String refusal = refusal(call.getSubscribe().getFrameworkInfo(), caller);
        if (refusal != null) {
            Responses.send(context, HttpResponseStatus.FORBIDDEN, refusal);
            return null;
        }
        EventStream<Event> stream =
                new EventStream<>(context, accept, UUID.randomUUID().toString());
        master.subscribe(call, stream.id(), caller, stream);
        return stream;
    }

    /** The reason why the caller may not subscribe this framework, or null. */
    private @Nullable String refusal(FrameworkInfo info, String caller) {
        Credentials known = credentials;
        if (known == null) {
            return null;
        }
        if (info.hasPrincipal() && !info.getPrincipal().equals(caller)) {
            return "Authenticated principal '" + caller + "' does not match principal '" + info.getPrincipal()
                    + "' set in FrameworkInfo";
        }
        if (known.mayRunAs(caller, info.getUser())) {
            return null;
        }
        return "Principal '" + caller + "' may not run frameworks as user '" + info.getUser()
                + "': see the bridge's credentials file";
    }

    /** The reason why the caller may not launch these tasks, or null. Tasks may name users. */
    private @Nullable String refusal(Call.Accept accept, String caller) {
        Credentials known = credentials;
        if (known == null) {
            return null;
        }
        return accept.getOperationsList().stream()
                .flatMap(SchedulerApi::commands)
                .filter(command -> command.hasUser() && !known.mayRunAs(caller, command.getUser()))
                .map(command -> "Principal '" + caller + "' may not run tasks as user '" + command.getUser() + "'")
                .findFirst()
                .orElse(null);
    }

    /** All commands of an operation. */
    private static java.util.stream.Stream<CommandInfo> commands(Operation operation) {
        Operation.LaunchGroup group = operation.getLaunchGroup();
        return java.util.stream.Stream.concat(
                java.util.stream.Stream.of(group.getExecutor().getCommand()),
                java.util.stream.Stream.concat(
                                operation.getLaunch().getTaskInfosList().stream(),
                                group.getTaskGroup().getTasksList().stream())
                        .flatMap(task -> java.util.stream.Stream.of(
                                task.getCommand(), task.getExecutor().getCommand())));
    }
}
