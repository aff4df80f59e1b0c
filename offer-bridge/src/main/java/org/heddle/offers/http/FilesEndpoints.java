// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.heddle.offers.http.SandboxFiles.Content;
import org.heddle.offers.http.SandboxFiles.Entry;
import org.heddle.offers.wire.Json;

/** Mesos' endpoints {@code /files/browse} and {@code /files/read}, for sandboxes only. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
final class FilesEndpoints {
    private static final long DEFAULT_LENGTH = 65_536;

    private final SandboxFiles files;

    FilesEndpoints(SandboxFiles files) {
        this.files = files;
    }

    /** @param viewer principal whose sandboxes are shown; empty for all */
    void handle(ChannelHandlerContext context, String page, Map<String, List<String>> query, String viewer) {
        String path = query.getOrDefault("path", List.of("")).get(0);
        if (!SandboxFiles.isPath(path)) {
            Responses.send(context, HttpResponseStatus.BAD_REQUEST, "Expecting 'path=/container/..' in query");
            return;
        }
        long offset;
        long length;
        try {
            offset = Long.parseLong(query.getOrDefault("offset", List.of("-1")).get(0));
            length = Long.parseLong(query.getOrDefault("length", List.of(Long.toString(DEFAULT_LENGTH)))
                    .get(0));
        } catch (NumberFormatException e) {
            Responses.send(
                    context, HttpResponseStatus.BAD_REQUEST, "Failed to parse offset or length: want whole numbers");
            return;
        }
        if (page.equals("/files/read")) {
            long most = offset < 0 ? -1 : length < 0 ? DEFAULT_LENGTH : length;
            answer(context, path, files.read(path, Math.max(0, offset), most, viewer), read -> content(read, offset));
        } else {
            answer(context, path, files.list(path, viewer), FilesEndpoints::entries);
        }
    }

    private static <T> void answer(
            ChannelHandlerContext context, String path, CompletableFuture<T> asked, Function<T, byte[]> page) {
        asked.thenApply(page).whenComplete((body, error) -> {
            if (error != null) {
                Responses.send(context, HttpResponseStatus.NOT_FOUND, SandboxFiles.problem(path, error));
            } else {
                Responses.send(context, HttpResponseStatus.OK, "application/json", body);
            }
        });
    }

    private static byte[] content(Content read, long offset) {
        return Json.object(out -> {
            out.writeStringField("data", new String(read.data(), StandardCharsets.UTF_8));
            out.writeNumberField("offset", offset < 0 ? read.size() : offset);
        });
    }

    private static byte[] entries(List<Entry> entries) {
        return Json.array(out -> {
            for (Entry entry : entries) {
                write(entry, out);
            }
        });
    }

    private static void write(Entry entry, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("path", entry.path());
        out.writeNumberField("size", entry.size());
        out.writeNumberField("mtime", entry.modified() / 1000);
        out.writeNumberField("nlink", 1);
        out.writeStringField("mode", entry.modeText());
        out.writeStringField("uid", entry.owner());
        out.writeStringField("gid", entry.group());
        out.writeEndObject();
    }
}
