// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything under {@code /heddle/}: the page, and JSON under {@code /heddle/v1/}. Read only.
 *
 * <p>It has no state; the ResourceManager is taken from the servlet context at every request, because a fail-over
 * replaces the scheduler. (A request to a standby ResourceManager does not get here: Hadoop's own filter redirects it
 * to the active one.) The authentication filters are those of the ResourceManager's own pages; like these pages, it
 * shows every application to every authenticated user.
 */
public final class SchedulerServlet extends HttpServlet {
    static final String PATH = "/heddle";
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerServlet.class);
    private static final String JSON_POLICY = "default-src 'none'; frame-ancestors 'none'";
    private static final String QUEUES = "/v1/queues/";
    private static final String APPLICATIONS = "/v1/applications/";
    private static final String WHY = "/why";
    private static final String USAGE = "/v1/usage";
    private static final String USAGE_CSV = "/v1/usage.csv";
    private static final String FILES = "/" + ConsoleFrame.STATIC;
    private static final String WHAT_THERE_IS =
            "there are /heddle/, /heddle/usage, /heddle/v1/usage, /heddle/v1/scheduler, /heddle/v1/queues, /heddle/v1/queues/PATH, /heddle/v1/applications/ID,"
                    + " /heddle/v1/applications/ID/why, /heddle/v1/waiting, /heddle/v1/nodes, /heddle/v1/config, /heddle/v1/history, /heddle/v1/preemptions, /heddle/v1/shadow and /heddle/metrics";

    private static final String NO_USAGE = "the accounting is off: " + SchedulerKeys.USAGE_DIRECTORY.name()
            + " is none; set it to a directory and start the ResourceManager again";

    /** An answer: a status and a record. */
    private record Answer(int status, Object fields) {
        static Answer ok(Object fields) {
            return new Answer(HttpServletResponse.SC_OK, fields);
        }

        static Answer error(int status, String message) {
            return new Answer(status, SchedulerJson.error(status, message));
        }

        static Answer notFound(String message) {
            return error(HttpServletResponse.SC_NOT_FOUND, message);
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
        String method = request.getMethod();
        if (method.equals("OPTIONS")) {
            // Hadoop's clients send their Kerberos ticket with one of these first.
            response.setHeader("Allow", "GET, HEAD, OPTIONS");
            return;
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            response.setHeader("Allow", "GET, HEAD");
            int status = HttpServletResponse.SC_METHOD_NOT_ALLOWED;
            send(response, Answer.error(status, method + " is not possible here; use GET"));
            return;
        }
        String path = request.getPathInfo();
        if (path == null) {
            // Relative addresses in the page need the slash.
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            response.setHeader("Location", PATH + "/");
        } else if (path.equals("/")) {
            sendPage(response);
        } else if (path.startsWith(FILES)) {
            sendFile(path, response);
        } else if (path.equals("/usage") || path.equals(USAGE) || path.equals(USAGE_CSV)) {
            sendUsage(path, request, response);
        } else if (path.equals("/metrics")) {
            sendMetrics(response);
        } else if (path.endsWith(WHY) && wantsText(request)) {
            sendWhy(path, response);
        } else {
            send(response, answer(path, request));
        }
    }

    private void sendPage(HttpServletResponse response) throws IOException {
        SnapshotSource source = scheduler();
        if (source == null) {
            send(response, noScheduler());
            return;
        }
        byte[] html = SchedulerPage.html(
                source.snapshot(), WaitingOverview.of(source), ConsoleFrame.sections(getServletContext()));
        response.setHeader("Content-Security-Policy", ConsoleFrame.CONTENT_SECURITY_POLICY);
        response.setContentType("text/html; charset=utf-8");
        response.setContentLength(html.length);
        response.getOutputStream().write(html);
    }

    private static void sendFile(String path, HttpServletResponse response) throws IOException {
        ConsoleFrame.File file = ConsoleFrame.file(SchedulerPage.class, path.substring(FILES.length()));
        if (file == null) {
            send(response, Answer.notFound("there is no " + PATH + path + "; " + WHAT_THERE_IS));
            return;
        }
        response.setHeader("Content-Security-Policy", JSON_POLICY);
        response.setHeader("Cache-Control", "max-age=600");
        response.setContentType(file.contentType());
        response.setContentLength(file.bytes().length);
        response.getOutputStream().write(file.bytes());
    }

    private static boolean wantsText(HttpServletRequest request) {
        String accepted = request.getHeader("Accept");
        return accepted != null && accepted.startsWith("text/plain");
    }

    /** For terminals: the sentences alone. */
    private void sendWhy(String path, HttpServletResponse response) throws IOException {
        SnapshotSource source = scheduler();
        String id;
        if (path.startsWith(APPLICATIONS)) {
            id = path.substring(APPLICATIONS.length(), path.length() - WHY.length());
        } else {
            id = "";
        }
        Waiting waiting = source == null ? null : source.why(id);
        StringBuilder text = new StringBuilder();
        if (waiting == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            text.append("there is no application '").append(id).append("' that runs or waits here\n");
        } else {
            text.append(waiting.application()).append(" of ").append(waiting.user());
            text.append(" in ").append(waiting.queue()).append(": ").append(waiting.runningContainers());
            text.append(" containers run, ").append(waiting.pendingContainers()).append(" are asked for\n");
            waiting.reasons()
                    .forEach(reason -> text.append("  ")
                            .append(reason.text())
                            .append("\n    Way out: ")
                            .append(reason.kind().wayOut())
                            .append('\n'));
        }
        response.setHeader("Content-Security-Policy", JSON_POLICY);
        response.setContentType("text/plain; charset=utf-8");
        response.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** What was used: a page, JSON, CSV, or a table where the client accepts plain text. */
    private void sendUsage(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        SnapshotSource source = scheduler();
        UsageQuery query;
        UsageReport report;
        try {
            query = UsageQuery.parse(
                    parameter(request, "by"),
                    parameter(request, "month"),
                    parameter(request, "from"),
                    parameter(request, "to"),
                    Clocks.SYSTEM.date());
        } catch (IllegalArgumentException e) {
            send(response, Answer.error(HttpServletResponse.SC_BAD_REQUEST, String.valueOf(e.getMessage())));
            return;
        }
        try {
            report = source == null ? null : source.usage(query);
        } catch (IOException | RuntimeException e) {
            LOG.error("{}{} could not be answered", PATH, path, e);
            send(
                    response,
                    Answer.error(
                            HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "usage cannot be read: " + e.getMessage()));
            return;
        }
        if (report == null) {
            send(response, source == null ? noScheduler() : Answer.notFound(NO_USAGE));
        } else if (path.equals("/usage")) {
            String asked = request.getQueryString() == null ? "" : request.getQueryString();
            response.setHeader("Content-Security-Policy", ConsoleFrame.CONTENT_SECURITY_POLICY);
            sendBytes(
                    response,
                    "text/html; charset=utf-8",
                    UsagePage.html(report, asked, ConsoleFrame.sections(getServletContext())));
        } else {
            response.setHeader("Content-Security-Policy", JSON_POLICY);
            if (path.equals(USAGE_CSV)) {
                response.setHeader("Content-Disposition", "attachment; filename=usage.csv");
                sendText(response, "text/csv; charset=utf-8", UsageResponse.csv(report));
            } else if (wantsText(request)) {
                sendText(response, "text/plain; charset=utf-8", UsageResponse.table(report));
            } else {
                send(response, Answer.ok(UsageResponse.json(report)));
            }
        }
    }

    private static void sendText(HttpServletResponse response, String type, String text) throws IOException {
        sendBytes(response, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void sendBytes(HttpServletResponse response, String type, byte[] bytes) throws IOException {
        response.setContentType(type);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private void sendMetrics(HttpServletResponse response) throws IOException {
        SnapshotSource source = scheduler();
        if (source == null) {
            send(response, noScheduler());
            return;
        }
        response.setHeader("Content-Security-Policy", JSON_POLICY);
        response.setContentType(PrometheusText.CONTENT_TYPE);
        response.getOutputStream().write(PrometheusText.of(source.snapshot()).getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpServletResponse response, Answer answer) throws IOException {
        response.setStatus(answer.status());
        response.setHeader("Content-Security-Policy", JSON_POLICY);
        response.setContentType("application/json; charset=utf-8");
        SchedulerJson.write(response.getOutputStream(), answer.fields());
    }

    /**
     * A parameter of the query; null if there is none.
     *
     * @throws IllegalArgumentException if the query is not UTF-8; the server's own answer to that shows its classes
     */
    private static @Nullable String parameter(HttpServletRequest request, String name) {
        try {
            return request.getParameter(name);
        } catch (RuntimeException e) { // which one depends on the server
            throw new IllegalArgumentException(
                    "the query of the address cannot be read: write its characters as UTF-8 with percent-encoding", e);
        }
    }

    private Answer answer(String path, HttpServletRequest request) {
        SnapshotSource source = scheduler();
        if (source == null) {
            return noScheduler();
        }
        try {
            return path.equals("/v1/scheduler") ? queues(source, request) : answer(path, source);
        } catch (RuntimeException e) {
            LOG.error("{}{} could not be answered", PATH, path, e);
            return Answer.error(
                    HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                    "the scheduler gave no snapshot; see the ResourceManager's log");
        }
    }

    private static Answer queues(SnapshotSource source, HttpServletRequest request) {
        ListedApplications listed;
        try {
            listed = ListedApplications.parse(
                    parameter(request, "applications"),
                    parameter(request, "find"),
                    request.getParameterValues("below"));
        } catch (IllegalArgumentException e) {
            return Answer.error(HttpServletResponse.SC_BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        return Answer.ok(SchedulerJson.scheduler(source.snapshot(), listed));
    }

    private static Answer answer(String path, SnapshotSource source) {
        SchedulerSnapshot snapshot = source.snapshot();
        if (path.equals("/v1/config")) {
            return Answer.ok(SchedulerJson.configuration(snapshot.configuration(), source.configurationChanges()));
        }
        if (path.equals("/v1/history")) {
            return Answer.ok(SchedulerJson.history(source.history(), source.configurationChanges()));
        }
        if (path.equals("/v1/preemptions")) {
            return Answer.ok(SchedulerJson.preemptions(snapshot));
        }
        if (path.equals("/v1/queues")) {
            return Answer.ok(SchedulerJson.queues(snapshot, QueueRow.of(source)));
        }
        if (path.equals("/v1/waiting")) {
            return Answer.ok(SchedulerJson.overview(snapshot, WaitingOverview.of(source)));
        }
        if (path.equals("/v1/nodes")) {
            return Answer.ok(SchedulerJson.nodes(source.nodes()));
        }
        if (path.equals("/v1/shadow")) {
            List<LimitExceeded> limits = source.shadowLimits();
            if (limits == null) {
                return Answer.notFound("limits are in force: yarn.scheduler.heddle.shadow is not true");
            }
            return Answer.ok(SchedulerJson.shadow(limits));
        }
        if (path.startsWith(QUEUES)) {
            String queue = path.substring(QUEUES.length());
            return SnapshotSearch.queue(snapshot.root(), queue)
                    .map(found -> Answer.ok(SchedulerJson.queue(snapshot, found)))
                    .orElseGet(() ->
                            Answer.notFound("there is no queue '" + queue + "'; /heddle/v1/scheduler has all of them"));
        }
        if (path.startsWith(APPLICATIONS)) {
            String id = path.substring(APPLICATIONS.length());
            if (id.endsWith(WHY)) {
                return why(source, id.substring(0, id.length() - WHY.length()));
            }
            return SnapshotSearch.application(snapshot.root(), id)
                    .map(found -> Answer.ok(SchedulerJson.application(snapshot, found)))
                    .orElseGet(() -> noApplication(id));
        }
        return Answer.notFound("there is no " + PATH + path + "; " + WHAT_THERE_IS);
    }

    private static Answer why(SnapshotSource source, String id) {
        Waiting waiting = source.why(id);
        return waiting == null ? noApplication(id) : Answer.ok(SchedulerJson.waiting(waiting));
    }

    private static Answer noApplication(String id) {
        return Answer.notFound("there is no application '" + id
                + "' that runs or waits; finished ones are at /ws/v1/cluster/apps/" + id);
    }

    private static Answer noScheduler() {
        return Answer.notFound("this process is not a ResourceManager with a Heddle scheduler");
    }

    private @Nullable SnapshotSource scheduler() {
        Object rm = getServletContext().getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE);
        if (rm instanceof ResourceManager manager && manager.getResourceScheduler() instanceof SnapshotSource source) {
            return source;
        }
        return null;
    }
}
