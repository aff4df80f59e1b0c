// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.heddle.offers.agent.Frames;
import org.heddle.offers.agent.Wire;
import org.heddle.offers.master.Master;

/**
 * {@code /files/browse} and {@code /files/read} in Mesos' form, of sandboxes only. Paths are {@code /container/tasks/id/..}
 * or {@code /container/executors/id/..}, as {@code /master/state} names them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
final class FilePages {
    private static final JsonFactory JSON = new JsonFactory();
    private static final long DEFAULT_LENGTH = 65_536;

    private final Master master;

    FilePages(Master master) {
        this.master = master;
    }

    /** @param viewer principal whose sandboxes are shown; empty for all */
    void handle(ChannelHandlerContext context, String page, Map<String, List<String>> query, String viewer) {
        String path = query.getOrDefault("path", List.of("")).get(0);
        if (!path.matches("/[A-Za-z0-9_]+(/.*)?")) {
            Answers.send(context, HttpResponseStatus.BAD_REQUEST, "Expecting 'path=/container/..' in query");
            return;
        }
        long offset;
        long length;
        try {
            offset = Long.parseLong(query.getOrDefault("offset", List.of("-1")).get(0));
            length = Long.parseLong(query.getOrDefault("length", List.of(Long.toString(DEFAULT_LENGTH)))
                    .get(0));
        } catch (NumberFormatException e) {
            Answers.send(
                    context, HttpResponseStatus.BAD_REQUEST, "Failed to parse offset or length: want whole numbers");
            return;
        }
        String container = path.substring(1).split("/", 2)[0];
        String rest = path.substring(1 + container.length()).replaceFirst("^/", "");
        boolean read = page.equals("/files/read");
        long from = offset;
        long most = offset < 0 ? -1 : length < 0 ? DEFAULT_LENGTH : length;
        master.sandbox(container, viewer, read ? Frames.READ : Frames.LIST, out -> {
                    Wire.writeText(out, rest);
                    if (read) {
                        out.writeLong(Math.max(0, from));
                        out.writeLong(most);
                    }
                })
                .whenComplete((bytes, error) -> {
                    if (error != null) {
                        Answers.send(context, HttpResponseStatus.NOT_FOUND, path + " cannot be shown: " + cause(error));
                        return;
                    }
                    try {
                        Answers.send(
                                context,
                                HttpResponseStatus.OK,
                                "application/json",
                                read ? content(bytes, from) : entries(bytes, container));
                    } catch (IOException e) {
                        Answers.send(context, HttpResponseStatus.BAD_GATEWAY, "The agent's answer cannot be read");
                    }
                });
    }

    private static String cause(Throwable error) {
        Throwable inner = error.getCause() == null ? error : error.getCause();
        return String.valueOf(inner.getMessage());
    }

    private static byte[] content(byte[] answer, long offset) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer));
        long size = in.readLong();
        byte[] data = Wire.readBytes(in);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("data", new String(data, StandardCharsets.UTF_8));
            out.writeNumberField("offset", offset < 0 ? size : offset);
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static byte[] entries(byte[] answer, String container) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartArray();
            for (int left = in.readInt(); left > 0; left--) {
                String path = Wire.readText(in);
                boolean directory = in.readBoolean();
                out.writeStartObject();
                out.writeStringField("path", "/" + container + "/" + path);
                out.writeNumberField("size", in.readLong());
                out.writeNumberField("mtime", in.readLong() / 1000);
                out.writeNumberField("nlink", 1);
                out.writeStringField("mode", (directory ? "d" : "-") + Wire.readText(in));
                out.writeStringField("uid", Wire.readText(in));
                out.writeStringField("gid", Wire.readText(in));
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        return bytes.toByteArray();
    }
}
