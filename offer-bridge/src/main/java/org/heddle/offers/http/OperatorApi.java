// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.mesos.v1.Protos.FileInfo;
import org.apache.mesos.v1.Protos.TimeInfo;
import org.apache.mesos.v1.master.Protos.Call;
import org.apache.mesos.v1.master.Protos.Event;
import org.apache.mesos.v1.master.Protos.Response;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.OperatorReport;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;
import org.jspecify.annotations.Nullable;

/** Mesos' operator API, {@code POST /api/v1}. Calls that would change something are refused. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
final class OperatorApi {
    private final Master master;
    private final SandboxFiles files;

    OperatorApi(Master master) {
        this.master = master;
        this.files = new SandboxFiles(master);
    }

    /**
     * Answers one call, at once or later; returns the event stream if the call opens one.
     *
     * @param viewer principal whose frameworks are shown; empty for all
     */
    @Nullable
    EventStream<Event> handle(ChannelHandlerContext context, FullHttpRequest request, String viewer) {
        Encoding encoding = ContentNegotiation.sent(context, request);
        Encoding accept = encoding == null ? null : ContentNegotiation.wanted(context, request);
        if (encoding == null || accept == null) {
            return null;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(ByteBufUtil.getBytes(request.content()), builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            Responses.send(
                    context, HttpResponseStatus.BAD_REQUEST, "Failed to parse body into Call: " + e.getMessage());
            return null;
        }
        switch (call.getType()) {
            case SUBSCRIBE -> {
                EventStream<Event> stream =
                        new EventStream<>(context, accept, UUID.randomUUID().toString());
                master.watch(stream.id(), viewer, stream);
                return stream;
            }
            case LIST_FILES, READ_FILE -> showFiles(context, call, accept, viewer);
            default -> report(context, call, accept, viewer);
        }
        return null;
    }

    private void report(ChannelHandlerContext context, Call call, Encoding accept, String viewer) {
        master.look(viewer, view -> Optional.ofNullable(OperatorReport.answer(call, view)))
                .whenComplete((answer, error) -> {
                    if (error != null) {
                        Responses.send(
                                context,
                                HttpResponseStatus.INTERNAL_SERVER_ERROR,
                                "The state cannot be shown: " + error);
                    } else if (answer.isEmpty()) {
                        Responses.send(
                                context,
                                HttpResponseStatus.NOT_IMPLEMENTED,
                                "Call " + call.getType()
                                        + " is not supported by the offer bridge: it answers SUBSCRIBE, LIST_FILES,"
                                        + " READ_FILE and all calls whose names begin with GET, but for GET_FLAGS and"
                                        + " GET_LOGGING_LEVEL");
                    } else {
                        send(context, accept, answer.get());
                    }
                });
    }

    private void showFiles(ChannelHandlerContext context, Call call, Encoding accept, String viewer) {
        boolean read = call.getType() == Call.Type.READ_FILE;
        String path = read ? call.getReadFile().getPath() : call.getListFiles().getPath();
        if (!SandboxFiles.isPath(path)) {
            Responses.send(
                    context, HttpResponseStatus.BAD_REQUEST, "Expecting a path of the form /container/.., not " + path);
            return;
        }
        CompletableFuture<Response> answer;
        if (read) {
            Call.ReadFile wanted = call.getReadFile();
            // The agent limits the length of one answer; clients ask again for the rest.
            long most = wanted.hasLength() && wanted.getLength() >= 0 ? wanted.getLength() : Integer.MAX_VALUE;
            answer = files.read(path, Math.max(0, wanted.getOffset()), most, viewer)
                    .thenApply(OperatorApi::content);
        } else {
            answer = files.list(path, viewer).thenApply(OperatorApi::entries);
        }
        answer.whenComplete((response, error) -> {
            if (error != null) {
                Responses.send(context, HttpResponseStatus.NOT_FOUND, SandboxFiles.problem(path, error));
            } else {
                send(context, accept, response);
            }
        });
    }

    private static Response content(SandboxFiles.Content content) {
        return Response.newBuilder()
                .setType(Response.Type.READ_FILE)
                .setReadFile(Response.ReadFile.newBuilder()
                        .setSize(content.size())
                        .setData(ByteString.copyFrom(content.data())))
                .build();
    }

    private static Response entries(List<SandboxFiles.Entry> entries) {
        Response.ListFiles.Builder list = Response.ListFiles.newBuilder();
        for (SandboxFiles.Entry entry : entries) {
            list.addFileInfos(FileInfo.newBuilder()
                    .setPath(entry.path())
                    .setNlink(1)
                    .setSize(entry.size())
                    .setMtime(TimeInfo.newBuilder().setNanoseconds(entry.modified() * 1_000_000))
                    .setMode(entry.mode())
                    .setUid(entry.owner())
                    .setGid(entry.group()));
        }
        return Response.newBuilder()
                .setType(Response.Type.LIST_FILES)
                .setListFiles(list)
                .build();
    }

    private static void send(ChannelHandlerContext context, Encoding accept, Message answer) {
        Responses.send(context, HttpResponseStatus.OK, accept.mediaType(), accept.encode(answer));
    }
}
