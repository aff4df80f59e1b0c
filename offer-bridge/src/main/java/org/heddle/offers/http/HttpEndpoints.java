// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.reports.ConsoleReport;
import org.heddle.offers.master.reports.MetricsReport;
import org.heddle.offers.master.reports.StateReport;
import org.heddle.offers.master.reports.StateView;
import org.heddle.offers.master.state.MesosVersion;

/** The endpoints for GET: Mesos' version, state, files and metrics, and the console. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
public final class HttpEndpoints {
    private static final ConsolePage CONSOLE = ConsolePage.load();
    private static final String JSON = "application/json";

    private static final byte[] VERSION =
            ("{\"version\":\"" + MesosVersion.MESOS + "\",\"bridge\":\"heddle\"}").getBytes(StandardCharsets.UTF_8);
    private static final byte[] OPEN_API = ConsolePage.resource("openapi.json").getBytes(StandardCharsets.UTF_8);

    /** Answers one request, at once or later. */
    private interface Endpoint {
        /** @param viewer principal whose frameworks are shown; empty for all */
        void answer(
                HttpEndpoints endpoints, ChannelHandlerContext context, Map<String, List<String>> query, String viewer);
    }

    private static final Map<String, Endpoint> ENDPOINTS = new TreeMap<>();

    static {
        ENDPOINTS.put("/", (all, context, query, viewer) -> Responses.page(context, CONSOLE));
        ENDPOINTS.put("/console", (all, context, query, viewer) -> Responses.page(context, CONSOLE));
        ENDPOINTS.put("/console/data", report(JSON, ConsoleReport::data));
        ENDPOINTS.put("/files/browse", (all, context, query, viewer) -> all.files.browse(context, query, viewer));
        ENDPOINTS.put("/files/read", (all, context, query, viewer) -> all.files.read(context, query, viewer));
        ENDPOINTS.put("/frameworks", report(JSON, StateReport::frameworks));
        ENDPOINTS.put("/health", (all, context, query, viewer) -> Responses.send(context, HttpResponseStatus.OK, ""));
        ENDPOINTS.put("/metrics", report("text/plain; version=0.0.4", MetricsReport::text));
        ENDPOINTS.put("/metrics/snapshot", report(JSON, MetricsReport::json));
        ENDPOINTS.put("/openapi", text(OPEN_API));
        ENDPOINTS.put("/redirect", (all, context, query, viewer) -> Responses.redirect(context, "//" + all.leader));
        ENDPOINTS.put("/share", (all, context, query, viewer) -> all.share(context, query, viewer));
        ENDPOINTS.put("/slaves", report(JSON, StateReport::agents));
        ENDPOINTS.put("/state", report(JSON, StateReport::state));
        ENDPOINTS.put("/state-summary", report(JSON, StateReport::state));
        ENDPOINTS.put("/tasks", report(JSON, StateReport::tasks));
        ENDPOINTS.put("/version", text(VERSION));
    }

    private final Master master;
    private final String leader;
    private final FilesEndpoints files;

    /** @param leader host:port of the bridge that leads */
    public HttpEndpoints(Master master, String leader) {
        this.master = master;
        this.leader = leader;
        this.files = new FilesEndpoints(new SandboxFiles(master));
    }

    /** @param viewer principal whose frameworks are shown; empty for all */
    void handle(
            ChannelHandlerContext context,
            FullHttpRequest request,
            String path,
            Map<String, List<String>> query,
            String viewer) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            Responses.notAllowed(context, "GET");
            return;
        }
        String bare = path.startsWith("/master/") ? path.substring("/master".length()) : path;
        Endpoint endpoint = ENDPOINTS.get(bare.endsWith(".json") ? bare.substring(0, bare.length() - 5) : bare);
        if (endpoint == null) {
            Responses.send(context, HttpResponseStatus.NOT_FOUND, "There is no endpoint " + path);
        } else {
            endpoint.answer(this, context, query, viewer);
        }
    }

    /** The paths, without the prefix and the suffix that are also understood. */
    static Set<String> paths() {
        return ENDPOINTS.keySet();
    }

    private void share(ChannelHandlerContext context, Map<String, List<String>> query, String viewer) {
        String framework = query.getOrDefault("framework_id", List.of("")).get(0);
        master.share(viewer, framework).whenComplete((body, error) -> {
            if (error != null) {
                Throwable cause = error.getCause() == null ? error : error.getCause();
                boolean isUnknown = cause instanceof IllegalArgumentException;
                Responses.send(
                        context,
                        isUnknown ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.BAD_GATEWAY,
                        "/share?framework_id=" + framework + ": " + cause.getMessage());
            } else {
                Responses.send(context, HttpResponseStatus.OK, JSON, body);
            }
        });
    }

    private static Endpoint text(byte[] json) {
        return (all, context, query, viewer) -> Responses.send(context, HttpResponseStatus.OK, JSON, json);
    }

    private static Endpoint report(String type, Function<StateView, byte[]> report) {
        return (all, context, query, viewer) -> all.master.look(viewer, report).whenComplete((body, error) -> {
            if (error != null) {
                Responses.send(
                        context, HttpResponseStatus.INTERNAL_SERVER_ERROR, "The state cannot be shown: " + error);
            } else {
                Responses.send(context, HttpResponseStatus.OK, type, body);
            }
        });
    }
}
