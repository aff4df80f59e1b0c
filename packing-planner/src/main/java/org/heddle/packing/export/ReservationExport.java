// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.export;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);

    private record Submission(String queue, Definition reservationDefinition) {}

    private record Definition(long arrival, long deadline, String reservationName, Requests reservationRequests) {}

    private record Requests(int reservationRequestInterpreter, List<Request> reservationRequest) {}

    private record Request(long duration, int numContainers, int minConcurrency, Capability capability) {}

    private record Capability(
            int memory, @JsonProperty("vCores") int cores) {}

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
        Map<String, List<Assignment>> parts = new LinkedHashMap<>();
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                String file = "reservation-" + assignment.job().replaceAll("[^A-Za-z0-9_.-]", "-") + ".json";
                parts.computeIfAbsent(file, name -> new ArrayList<>()).add(assignment);
            }
        }
        Map<String, ObjectNode> files = new LinkedHashMap<>();
        parts.forEach((file, job) -> {
            List<Request> requests = job.stream()
                    .map(part -> new Request(
                            Math.max(1, Math.round(1000 * part.seconds())),
                            part.vms(),
                            part.vms(),
                            new Capability(memoryMb, vcores)))
                    .toList();
            double end = job.get(job.size() - 1).end();
            Submission submission = new Submission(
                    queue,
                    new Definition(
                            epochMillis + Math.round(1000 * job.get(0).start()),
                            epochMillis + Math.round(1000 * (end + slackSeconds)),
                            job.get(0).job(),
                            new Requests(hasPause(job) ? R_ORDER : R_ORDER_NO_GAP, requests)));
            files.put(file, MAPPER.valueToTree(rooted ? Map.of(ROOT, submission) : submission));
        });
        return files;
    }

    private static boolean hasPause(List<Assignment> parts) {
        for (int i = 1; i < parts.size(); i++) {
            if (parts.get(i).start() > parts.get(i - 1).end() + 1) {
                return true;
            }
        }
        return false;
    }
}
