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
import org.jspecify.annotations.Nullable;

/** Mesos' endpoints {@code /files/browse} and {@code /files/read}, for sandboxes only. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
final class FilesEndpoints {
    private static final long DEFAULT_LENGTH = 65_536;

    private final SandboxFiles files;

    FilesEndpoints(SandboxFiles files) {
        this.files = files;
    }

    /** Lists a directory. The viewer is the principal whose sandboxes are shown; empty for all. */
    void browse(ChannelHandlerContext context, Map<String, List<String>> query, String viewer) {
        String path = path(context, query);
        if (path != null) {
            answer(context, path, files.list(path, viewer), FilesEndpoints::entries);
        }
    }

    /** Reads a part of a file. The viewer is the principal whose sandboxes are shown; empty for all. */
    void read(ChannelHandlerContext context, Map<String, List<String>> query, String viewer) {
        String path = path(context, query);
        if (path == null) {
            return;
        }
        try {
            long offset = number(query, "offset", -1);
            long length = number(query, "length", DEFAULT_LENGTH);
            long most;
            if (offset < 0) {
                most = -1;
            } else if (length < 0) {
                most = DEFAULT_LENGTH;
            } else {
                most = length;
            }
            answer(context, path, files.read(path, Math.max(0, offset), most, viewer), read -> content(read, offset));
        } catch (NumberFormatException e) {
            Responses.send(
                    context, HttpResponseStatus.BAD_REQUEST, "Failed to parse offset or length: want whole numbers");
        }
    }

    private static long number(Map<String, List<String>> query, String name, long fallback) {
        return Long.parseLong(
                query.getOrDefault(name, List.of(Long.toString(fallback))).get(0));
    }

    /** The path in the query; null if it is not valid, which the client has then been told. */
    private static @Nullable String path(ChannelHandlerContext context, Map<String, List<String>> query) {
        String path = query.getOrDefault("path", List.of("")).get(0);
        if (SandboxFiles.isPath(path)) {
            return path;
        }
        Responses.send(context, HttpResponseStatus.BAD_REQUEST, "Expecting 'path=/container/..' in query");
        return null;
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
