// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.util.VersionInfo;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The exported reservations, posted to a ResourceManager whose reservation system is on. */
class ReservationIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String QUEUES = "yarn.scheduler.capacity.root.";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 8192L, "vcores", 8L))
            .users("alice")
            .property("yarn.resourcemanager.reservation-system.enable", "true")
            .property("yarn.resourcemanager.reservation-system.planfollower.time-step", "500")
            .property(QUEUES + "queues", "default,planned")
            .property(QUEUES + "default.capacity", "20")
            .property(QUEUES + "planned.capacity", "80")
            .property(QUEUES + "planned.reservable", "true")
            .property("hadoop.http.filter.initializers", "org.apache.hadoop.security.AuthenticationFilterInitializer")
            .property("hadoop.http.authentication.type", "simple")
            .property("hadoop.http.authentication.simple.anonymous.allowed", "true")
            .build();

    @Test
    void theResourceManagerAcceptsThem() throws Exception {
        Problem problem = new Problem(
                "p",
                2,
                2,
                2,
                new Alpha(1.3),
                List.of(
                        new Job("sort", new PowerModel(100, -0.8), false, true),
                        new Job("index", new PowerModel(80, -0.8), true, false)));
        Plan plan = new PhasedPlanner().plan(problem, SolveContext.quiet(5));
        boolean rooted = !VersionInfo.getVersion().startsWith("3.4.");
        Map<String, ObjectNode> submissions = ReservationExport.submissions(
                plan, System.currentTimeMillis() + 600_000, "planned", 1024, 1, 60, rooted);
        assertThat(submissions).hasSize(2);
        for (ObjectNode submission : submissions.values()) {
            ObjectNode inside = rooted ? (ObjectNode) submission.get(ReservationExport.ROOT) : submission;
            inside.put("reservation-id", newReservation());
            AtomicReference<String> last =
                    new AtomicReference<>(""); // until the plan has heard of the nodes it is refused
            Await.until(
                    "the reservation to be accepted",
                    Duration.ofSeconds(20),
                    () -> {
                        HttpResponse<String> answer = post("submit", submission.toString());
                        last.set(answer.body());
                        return answer.statusCode() == 202;
                    },
                    last::get);
        }
        String listed = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri("list")).GET().build(), BodyHandlers.ofString())
                .body();
        assertThat(listed).contains("sort", "index");
    }

    private static String newReservation() throws Exception {
        HttpResponse<String> answer = post("new-reservation", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode root = JSON.readTree(answer.body());
        JsonNode id = root.findValue("reservation-id");
        return id.asText();
    }

    private static HttpResponse<String> post(String what, String body) {
        HttpRequest request = HttpRequest.newBuilder(uri(what))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static URI uri(String what) {
        String query = what.equals("list") ? "&queue=planned" : "";
        return URI.create(cluster.webAddress() + "/ws/v1/cluster/reservation/" + what + "?user.name=alice" + query);
    }
}
