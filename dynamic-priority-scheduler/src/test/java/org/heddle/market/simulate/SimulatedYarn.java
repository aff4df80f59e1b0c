// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.StringJoiner;
import org.heddle.market.agent.rest.YarnProgress;
import org.heddle.market.agent.rest.YarnRest;

/**
 * A job of a {@link Simulator}, as YARN's, MapReduce's and Spark's REST show it: what is not seen in a real one is not
 * seen here. A slot has 1 GB and a core.
 */
final class SimulatedYarn implements AutoCloseable {
    private static final String ID = "application_1_0001";

    static {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // else an answer takes 40 ms
    }

    /** A task and its attempts, the last of which succeeds. */
    private static final class Task {
        final int stage;
        final boolean reduces;
        final Deque<Long> lengths;
        long firstMillis = -1;
        long startMillis = -1;
        long endMillis = -1;

        Task(int stage, boolean reduces, Deque<Long> lengths) {
            this.stage = stage;
            this.reduces = reduces;
            this.lengths = lengths;
        }

        boolean hasSucceeded(long now) {
            return lengths.isEmpty() && endMillis <= now;
        }

        boolean runs(long now) {
            return startMillis >= 0 && now < endMillis;
        }

        /** By its last attempt, as MapReduce shows it. */
        String json(long now) {
            String state = "SCHEDULED";
            double progress = 0;
            long elapsed = firstMillis < 0 ? 0 : now - firstMillis;
            if (hasSucceeded(now)) {
                state = "SUCCEEDED";
                progress = 100;
                elapsed = endMillis - firstMillis;
            } else if (runs(now)) {
                state = "RUNNING";
                progress = 100.0 * (now - startMillis) / (endMillis - startMillis);
            }
            return "{\"type\":\"" + (reduces ? "REDUCE" : "MAP") + "\",\"state\":\"" + state + "\",\"elapsedTime\":"
                    + elapsed + ",\"progress\":" + progress + "}";
        }
    }

    private final Simulator sim;
    private final int slots;
    private final boolean spark;
    private final List<Task> tasks = new ArrayList<>();
    private final HttpServer server;
    private Simulator.Job last;
    /** After so many ended tasks the first attempt of the application has failed, and all begins anew; 0 for never. */
    private int failsAfter;

    private int ended;

    @SuppressWarnings("NullAway.Init") // the job is set by submit
    SimulatedYarn(Simulator sim, int slots, boolean spark) throws IOException {
        this.sim = sim;
        this.slots = slots;
        this.spark = spark;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = answer(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    /** @param lengths of its attempts, the last of which succeeds */
    void task(int stage, boolean reduces, long... lengths) {
        Deque<Long> attempts = new ArrayDeque<>();
        for (long length : lengths) {
            attempts.add(length);
        }
        tasks.add(new Task(stage, reduces, attempts));
    }

    /** The first attempt of the application fails when so many tasks have begun. */
    void failsAfter(int begun) {
        failsAfter = begun;
    }

    /** Hands the job in; its stages begin one after another. */
    Simulator.Job submit(String queue) {
        if (!spark) {
            long containers = failsAfter
                    + tasks.stream().mapToLong(task -> task.lengths.size()).sum();
            last = sim.submitWithMaster(queue, containers, () -> next(0));
            return last;
        }
        int stages = tasks.stream().mapToInt(task -> task.stage).max().orElse(0) + 1;
        for (int stage = 0; stage < stages; stage++) {
            int of = stage;
            long count = tasks.stream().filter(task -> task.stage == of).count();
            last = sim.submit(queue, count, () -> next(of), 1);
        }
        return last;
    }

    /** The length of the attempt that begins now: failed tasks first. */
    private long next(int stage) {
        long now = sim.nowMillis();
        if (failsAfter > 0 && ended >= 0 && ++ended > failsAfter) {
            ended = -1; // all tasks begin anew
            for (Task task : tasks) {
                if (task.firstMillis >= 0) {
                    task.lengths.add(task.endMillis - task.startMillis);
                    task.firstMillis = task.startMillis = task.endMillis = -1;
                }
            }
        }
        Task chosen = null;
        for (Task task : tasks) {
            boolean waits = task.stage == stage && !task.lengths.isEmpty() && !task.runs(now);
            if (waits && (chosen == null || (task.firstMillis >= 0 && chosen.firstMillis < 0))) {
                chosen = task;
            }
        }
        if (chosen == null) { // the attempt before runs still
            chosen = tasks.stream()
                    .filter(task -> task.stage == stage && !task.lengths.isEmpty())
                    .findFirst()
                    .orElseThrow();
        }
        chosen.startMillis = now;
        chosen.firstMillis = chosen.firstMillis < 0 ? now : chosen.firstMillis;
        chosen.endMillis = now + chosen.lengths.remove();
        return chosen.endMillis - now;
    }

    YarnProgress progress() {
        URI address = URI.create("http://localhost:" + server.getAddress().getPort());
        return new YarnProgress(new YarnRest(List.of(address), "alice"), () -> List.of(ID), "any", 0);
    }

    private String answer(String path) {
        long now = sim.nowMillis();
        if (path.endsWith("/metrics")) {
            return "{\"clusterMetrics\":{\"totalMB\":" + slots * 1_024L + ",\"totalVirtualCores\":" + slots + "}}";
        }
        if (path.endsWith("/jobs")) {
            return "{\"jobs\":{\"job\":[{\"id\":\"job_1_0001\"}]}}";
        }
        if (path.endsWith("/tasks")) {
            StringJoiner all = new StringJoiner(",", "{\"tasks\":{\"task\":[", "]}}");
            tasks.forEach(task -> all.add(task.json(now)));
            return all.toString();
        }
        if (path.endsWith("/executors")) {
            return "[{\"totalCores\":0}" + ",{\"totalCores\":1}".repeat((int) running(now)) + "]";
        }
        if (path.endsWith("/stages")) {
            return stages(now);
        }
        long containers = running(now) + (spark ? 0 : 1);
        return "{\"app\":{\"state\":\"" + (last.endMillis() < 0 ? "RUNNING" : "FINISHED") + "\",\"applicationType\":\""
                + (spark ? "SPARK" : "MAPREDUCE") + "\",\"progress\":0,\"runningContainers\":" + containers
                + ",\"allocatedMB\":" + containers * 1_024 + ",\"allocatedVCores\":" + containers + "}}";
    }

    private long running(long now) {
        return tasks.stream().filter(task -> task.runs(now)).count();
    }

    private String stages(long now) {
        StringJoiner all = new StringJoiner(",", "[", "]");
        int stages = tasks.stream().mapToInt(task -> task.stage).max().orElse(0) + 1;
        for (int stage = 0; stage < stages; stage++) {
            int of = stage;
            List<Task> own = tasks.stream().filter(task -> task.stage == of).toList();
            List<Task> done =
                    own.stream().filter(task -> task.hasSucceeded(now)).toList();
            boolean begun = own.stream().anyMatch(task -> task.firstMillis >= 0);
            String status = begun ? "ACTIVE" : "PENDING";
            if (done.size() == own.size()) {
                status = "COMPLETE";
            }
            all.add("{\"status\":\"" + status + "\",\"numTasks\":" + own.size() + ",\"numCompleteTasks\":" + done.size()
                    + ",\"executorRunTime\":"
                    + done.stream()
                            .mapToLong(task -> task.endMillis - task.startMillis)
                            .sum()
                    + "}");
        }
        return all.toString();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
