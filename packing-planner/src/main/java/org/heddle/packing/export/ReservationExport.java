// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.export;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;

/**
 * YARN reservations (ReservationSystem, "Rayon"): one submission per job for
 * {@code POST /ws/v1/cluster/reservation/submit}, with the job's containers over its planned time. Steps
 * of one job follow each other (R_ORDER_NO_GAP within a malleable plan's neighbouring phases, R_ORDER if
 * it pauses). The user gets a reservation id from {@code POST .../reservation/new-reservation} and enters it as
 * {@code reservation-id}. Hadoop 3.5 reads a submission inside an object named like its XML element, 3.4
 * (and the documentation of both) without.
 */
public final class ReservationExport {
    /** Name of the XML element of a submission, inside which Hadoop 3.5 reads its JSON. */
    public static final String ROOT = "reservation-submission-context";

    private static final int R_ORDER = 2;
    private static final int R_ORDER_NO_GAP = 3;

    private ReservationExport() {}

    /**
     * @param epochMillis when the plan is to begin
     * @param queue reservable queue
     * @param memoryMb of one container
     * @param vcores of one container
     * @param slackSeconds added to each job's deadline, as jobs are not predicted to the second
     * @param rooted as Hadoop 3.5 reads it; false for 3.4
     * @return file name to submission
     */
    public static Map<String, ObjectNode> submissions(
            Plan plan, long epochMillis, String queue, int memoryMb, int vcores, double slackSeconds, boolean rooted) {
        Map<String, ObjectNode> files = new LinkedHashMap<>();
        Map<String, Double> ends = new LinkedHashMap<>();
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                String file = "reservation-" + assignment.job().replaceAll("[^A-Za-z0-9_.-]", "-") + ".json";
                ObjectNode root = files.computeIfAbsent(file, f -> start(assignment, epochMillis, queue));
                ObjectNode definition = (ObjectNode) root.get("reservation-definition");
                ObjectNode requests = (ObjectNode) definition.get("reservation-requests");
                Double before = ends.put(assignment.job(), assignment.end());
                if (before != null) {
                    boolean pause = assignment.start() > before + 1;
                    int known = requests.get("reservation-request-interpreter").intValue();
                    requests.put(
                            "reservation-request-interpreter", pause || known == R_ORDER ? R_ORDER : R_ORDER_NO_GAP);
                }
                definition.put("deadline", epochMillis + Math.round(1000 * (assignment.end() + slackSeconds)));
                ObjectNode request = ((ArrayNode) requests.get("reservation-request")).addObject();
                request.put("duration", Math.max(1, Math.round(1000 * assignment.seconds())));
                request.put("num-containers", assignment.vms());
                request.put("min-concurrency", assignment.vms());
                request.putObject("capability").put("memory", memoryMb).put("vCores", vcores);
            }
        }
        if (rooted) {
            files.replaceAll((name, bare) -> {
                ObjectNode root = JsonNodeFactory.instance.objectNode();
                root.set(ROOT, bare);
                return root;
            });
        }
        return files;
    }

    private static ObjectNode start(Assignment assignment, long epochMillis, String queue) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("queue", queue);
        ObjectNode definition = root.putObject("reservation-definition");
        definition.put("arrival", epochMillis + Math.round(1000 * assignment.start()));
        definition.put("deadline", 0L);
        definition.put("reservation-name", assignment.job());
        ObjectNode requests = definition.putObject("reservation-requests");
        requests.put("reservation-request-interpreter", R_ORDER_NO_GAP);
        requests.putArray("reservation-request");
        return root;
    }
}
