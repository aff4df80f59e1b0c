// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.offers.master.ConsoleReport;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.StateReport;
import org.heddle.offers.master.StateView;
import org.heddle.offers.master.state.MesosVersion;

/** The endpoints for GET: Mesos' version, state, files and metrics, and the console. */
@SuppressWarnings("FutureReturnValueIgnored") // the answer is written when it is there
public final class HttpEndpoints {
    private static final ConsolePage CONSOLE = ConsolePage.load();
    private static final String JSON = "application/json";

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
        switch (bare.endsWith(".json") ? bare.substring(0, bare.length() - 5) : bare) {
            case "/redirect" -> Responses.redirect(context, "//" + leader);
            case "/version" ->
                Responses.send(
                        context,
                        HttpResponseStatus.OK,
                        JSON,
                        ("{\"version\":\"" + MesosVersion.MESOS + "\",\"bridge\":\"heddle\"}")
                                .getBytes(StandardCharsets.UTF_8));
            case "/health" -> Responses.send(context, HttpResponseStatus.OK, "");
            case "/state", "/state-summary" -> report(context, viewer, JSON, StateReport::state);
            case "/frameworks" -> report(context, viewer, JSON, StateReport::frameworks);
            case "/slaves" -> report(context, viewer, JSON, StateReport::agents);
            case "/tasks" -> report(context, viewer, JSON, StateReport::tasks);
            case "/", "/console" -> Responses.page(context, CONSOLE);
            case "/console/data" -> report(context, viewer, JSON, ConsoleReport::data);
            case "/share" -> share(context, viewer, query);
            case "/files/browse", "/files/read" -> files.handle(context, bare, query, viewer);
            case "/metrics/snapshot" -> report(context, viewer, JSON, StateReport::metricsJson);
            case "/metrics" -> report(context, viewer, "text/plain; version=0.0.4", StateReport::metricsText);
            default -> Responses.send(context, HttpResponseStatus.NOT_FOUND, "There is no endpoint " + path);
        }
    }

    private void share(ChannelHandlerContext context, String viewer, Map<String, List<String>> query) {
        String framework = query.getOrDefault("framework_id", List.of("")).get(0);
        master.share(viewer, framework).whenComplete((body, error) -> {
            if (error != null) {
                Throwable cause = error.getCause() == null ? error : error.getCause();
                Responses.send(
                        context,
                        cause instanceof IllegalArgumentException
                                ? HttpResponseStatus.NOT_FOUND
                                : HttpResponseStatus.BAD_GATEWAY,
                        "/share?framework_id=" + framework + ": " + cause.getMessage());
            } else {
                Responses.send(context, HttpResponseStatus.OK, JSON, body);
            }
        });
    }

    private void report(ChannelHandlerContext context, String viewer, String type, Function<StateView, byte[]> report) {
        master.look(viewer, report).whenComplete((body, error) -> {
            if (error != null) {
                Responses.send(
                        context, HttpResponseStatus.INTERNAL_SERVER_ERROR, "The state cannot be shown: " + error);
            } else {
                Responses.send(context, HttpResponseStatus.OK, type, body);
            }
        });
    }
}
