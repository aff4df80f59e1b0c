// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.heddle.acceptance.Cluster;
import org.heddle.testkit.Await;

/**
 * An application as the ResourceManager's REST tells of it.
 *
 * @param pending containers that it asks for and does not have
 * @param preempted containers that were taken from it, its ApplicationMasters apart
 */
record Application(
        String id,
        String name,
        String queue,
        String state,
        String finalStatus,
        int containers,
        int cores,
        int megabytes,
        int pending,
        int preempted,
        int preemptedMasters,
        String diagnostics) {

    static List<Application> all(Cluster cluster) throws IOException {
        List<Application> all = new ArrayList<>();
        cluster.rest("/ws/v1/cluster/apps").at("/apps/app").forEach(app -> all.add(of(app)));
        return all;
    }

    /** The application with that tag. */
    static Application tagged(Cluster cluster, String tag) throws IOException {
        return of(cluster.rest("/ws/v1/cluster/apps?applicationTags=" + tag).at("/apps/app/0"));
    }

    /** The application of that name; there is none until its client has submitted it. */
    static List<Application> named(Cluster cluster, String name) throws IOException {
        return all(cluster).stream().filter(app -> app.name().equals(name)).toList();
    }

    /** Waits until the application of that name is as described. */
    static Application await(Cluster cluster, String name, String what, Predicate<Application> is) {
        return Await.value(
                name + " " + what,
                Duration.ofMinutes(3),
                () -> {
                    List<Application> found = named(cluster, name);
                    if (found.stream().anyMatch(app -> app.isOver() && !is.test(app))) {
                        throw new IOException("it ended meanwhile");
                    }
                    return found.stream().filter(is).findFirst().orElse(null);
                },
                () -> seen(cluster));
    }

    private static String seen(Cluster cluster) {
        try {
            return all(cluster).toString();
        } catch (IOException e) {
            return e.toString();
        }
    }

    boolean isOver() {
        return List.of("FINISHED", "FAILED", "KILLED").contains(state);
    }

    private static Application of(JsonNode app) {
        int pending = 0;
        for (JsonNode ask : app.path("resourceRequests")) {
            if (ask.path("resourceName").asText().equals("*")) {
                pending += ask.path("numContainers").asInt();
            }
        }
        return new Application(
                app.path("id").asText(),
                app.path("name").asText(),
                app.path("queue").asText(),
                app.path("state").asText(),
                app.path("finalStatus").asText(),
                // -1 where it holds none.
                Math.max(0, app.path("runningContainers").asInt()),
                Math.max(0, app.path("allocatedVCores").asInt()),
                Math.max(0, app.path("allocatedMB").asInt()),
                pending,
                app.path("numNonAMContainerPreempted").asInt(),
                app.path("numAMContainerPreempted").asInt(),
                app.path("diagnostics").asText());
    }
}
