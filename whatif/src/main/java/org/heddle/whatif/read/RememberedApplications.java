// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/**
 * Reads the applications and nodes that a ResourceManager remembers, from the answers of its REST interface.
 * Applications are known by their sums only (memory-seconds, vcore-seconds): each becomes a master and as many equal
 * containers from its start to its end as these sums make.
 */
public final class RememberedApplications {
    /** Path of the applications, with the states of those that have ended. */
    public static final String APPLICATIONS = "/ws/v1/cluster/apps?states=FINISHED,FAILED,KILLED";

    /** Path of the nodes, with the state of those that work. */
    public static final String NODES = "/ws/v1/cluster/nodes?states=RUNNING";

    private static final double MILLIS = 1_000;

    private RememberedApplications() {}

    /**
     * Reads the answer to {@link #APPLICATIONS}.
     *
     * @param memoryMb the memory that each container is taken to have, in MiB
     * @param source for messages
     * @throws HistoryException if it is not such an answer, or names no application that ran
     */
    public static History applications(String json, long memoryMb, String source) throws HistoryException {
        List<Job> jobs = new ArrayList<>();
        for (JsonNode app : parse(json, source).path("apps").path("app")) {
            long submitted = JsonTree.number(app, 0, "startedTime");
            long launched = JsonTree.number(app, 0, "launchTime");
            long finished = JsonTree.number(app, 0, "finishedTime");
            long millis = finished - Math.max(submitted, launched);
            if (submitted > 0 && millis > 0) {
                jobs.add(job(app, submitted, finished, millis, memoryMb));
            }
        }
        if (jobs.isEmpty()) {
            throw new HistoryException(
                    source + " remembers no application that ran; run heddle whatif on a ResourceManager"
                            + " that has run applications since its start, or give --history");
        }
        return new History(
                jobs,
                List.of("applications are known by their sums only: each runs as a master and equal containers of "
                        + memoryMb + " MB from its start to its end"));
    }

    private static Job job(JsonNode app, long submitted, long finished, long millis, long memoryMb) {
        double memory = JsonTree.number(app, 0, "memorySeconds") * MILLIS / millis;
        double vcores = JsonTree.number(app, 0, "vcoreSeconds") * MILLIS / millis;
        long containers = Math.max(1, Math.round(memory / memoryMb));
        Size size = new Size(memoryMb, (int) Math.max(1, Math.round(vcores / containers)));
        long[] each = new long[(int) containers - 1];
        Arrays.fill(each, millis);
        return new Job(
                        JsonTree.text(app, "id", "application"),
                        JsonTree.text(app, "user", "unknown"),
                        JsonTree.text(app, "queue", "default"),
                        submitted,
                        finished,
                        size,
                        each.length == 0 ? millis : 0,
                        0,
                        !List.of("FAILED", "KILLED").contains(JsonTree.text(app, "finalStatus", "")),
                        each.length == 0 ? List.of() : List.of(new TaskGroup(TaskKind.MAP, size, each)))
                .withPriority((int) JsonTree.number(app, 0, "priority"));
    }

    /**
     * Reads the answer to {@link #NODES}: the size of each node that runs.
     *
     * @throws HistoryException if it is not such an answer, or names no node
     */
    public static List<Size> nodes(String json, String source) throws HistoryException {
        List<Size> nodes = new ArrayList<>();
        for (JsonNode node : parse(json, source).path("nodes").path("node")) {
            // A ResourceManager reads what is used and what is available one after the other, and containers may
            // start in between; only old ones have no total.
            long usedAndFree = JsonTree.number(node, 0, "usedMemoryMB") + JsonTree.number(node, 0, "availMemoryMB");
            long busyAndIdle =
                    JsonTree.number(node, 0, "usedVirtualCores") + JsonTree.number(node, 0, "availableVirtualCores");
            JsonNode total = node.path("totalResource");
            long memory = JsonTree.number(total, usedAndFree, "memory");
            long vcores = JsonTree.number(total, busyAndIdle, "vCores");
            if (memory > 0 && vcores > 0) {
                nodes.add(new Size(memory, (int) vcores));
            }
        }
        if (nodes.isEmpty()) {
            throw new HistoryException(source + " has no running node; give --nodes and --node");
        }
        return nodes;
    }

    private static JsonNode parse(String json, String source) throws HistoryException {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new HistoryException(
                    source + " does not answer as a ResourceManager does; give its web address, for example"
                            + " http://rm:8088",
                    e);
        }
    }
}
