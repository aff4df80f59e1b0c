// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationListRequest;
import org.apache.hadoop.yarn.api.protocolrecords.ReservationSubmissionRequest;
import org.apache.hadoop.yarn.api.records.ReservationDefinition;
import org.apache.hadoop.yarn.api.records.ReservationId;
import org.apache.hadoop.yarn.api.records.ReservationRequest;
import org.apache.hadoop.yarn.api.records.ReservationRequestInterpreter;
import org.apache.hadoop.yarn.api.records.ReservationRequests;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.junit.jupiter.api.Test;

/**
 * A failover between two ResourceManagers that are processes, while one reservation that was made by YarnClient holds a
 * running job and another, made over REST, waits for one; and after a queue was added over REST. The successor knows all
 * three.
 */
class ReservationFailoverIT {
    private static final int CONTAINER_MB = 512;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long HOUR = 3_600_000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern ID = Pattern.compile("reservation_\\d+_\\d+");
    private static final String QUEUES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"work\"><weight>3</weight><plan/></queue><queue name=\"other\"/></queue></heddle-scheduler>";

    @Test
    void theSuccessorKnowsReservationsAndChangesOfTheConfiguration() throws Exception {
        try (ProcessCluster cluster = ProcessCluster.builder()
                        .scheduler(DrfScheduler.class.getName())
                        .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
                        .property("yarn.scheduler.heddle.configuration.mutable", "true")
                        .property("yarn.resourcemanager.reservation-system.enable", "true")
                        .nodes(1, 8 * CONTAINER_MB, 8)
                        .start();
                YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            String first = cluster.awaitActiveManager();

            // 1. One reservation by each way, and a queue
            ReservationId byClient = client.createReservation().getReservationId();
            Await.until("the plan to have seen the node, as it does every second", PATIENCE, () -> {
                client.submitReservation(ReservationSubmissionRequest.newInstance(definition(), "work", byClient));
                return true;
            });
            ReservationId byRest = reserveOverRest(cluster, first);
            assertThat(send(
                                    cluster,
                                    first,
                                    "PUT",
                                    "scheduler-conf",
                                    "<sched-conf><add-queue><queue-name>root.added</queue-name><params><entry>"
                                            + "<key>weight</key><value>2</value></entry></params></add-queue></sched-conf>")
                            .statusCode())
                    .isEqualTo(200);
            Await.until(
                    "both reservations to be queues",
                    PATIENCE,
                    () -> weights(cluster).keySet().containsAll(List.of(path(byClient), path(byRest))),
                    () -> weights(cluster) + cluster.daemon(first).tail());
            Map<String, Double> before = weights(cluster);
            assertThat(before).containsEntry("root.added", 2.0);

            // 2. A job runs in the first when the active manager is killed
            Job early = sleep(cluster, byClient, 4, 15_000);
            Await.until(
                    "the job to run in its reservation",
                    PATIENCE,
                    () -> application(cluster, early).path("runningContainers").asInt() > 2,
                    cluster::tails);
            assertThat(application(cluster, early).path("queue").asText()).isEqualTo(path(byClient));
            cluster.daemon(first).kill();
            String second = cluster.awaitActiveManager();
            assertThat(second).isNotEqualTo(first);

            // 3. The successor has them all, and keeps its word
            Await.until(
                    "the successor to have the same queues",
                    PATIENCE,
                    () -> weights(cluster).equals(before),
                    () -> before + "; " + weights(cluster)
                            + cluster.daemon(second).tail());
            for (ReservationId id : List.of(byClient, byRest)) {
                assertThat(client.listReservations(
                                        ReservationListRequest.newInstance("work", id.toString(), 0, -1, false))
                                .getReservationAllocationState())
                        .hasSize(1);
            }
            Job late = sleep(cluster, byRest, 1, 1_000);
            for (Job job : List.of(early, late)) {
                Await.until(job.getJobName() + " to end", PATIENCE, job::isComplete, cluster::tails);
                assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.SUCCEEDED);
            }
            assertThat(application(cluster, early).path("queue").asText()).isEqualTo(path(byClient));
            assertThat(application(cluster, late).path("queue").asText()).isEqualTo(path(byRest));
        }
    }

    /** Two containers, from now on, for an hour. */
    private static ReservationDefinition definition() {
        long now = System.currentTimeMillis();
        return ReservationDefinition.newInstance(
                now,
                now + HOUR,
                ReservationRequests.newInstance(
                        List.of(ReservationRequest.newInstance(Resource.newInstance(CONTAINER_MB, 1), 2, 1, HOUR)),
                        ReservationRequestInterpreter.R_ALL),
                "by the client");
    }

    private static ReservationId reserveOverRest(ProcessCluster cluster, String manager) throws Exception {
        HttpResponse<String> fresh = send(cluster, manager, "POST", "reservation/new-reservation", "");
        Matcher id = ID.matcher(fresh.body());
        assertThat(id.find()).as(fresh.body()).isTrue();
        long now = System.currentTimeMillis();
        HttpResponse<String> made = send(
                cluster,
                manager,
                "POST",
                "reservation/submit",
                "<reservation-submission-context><queue>work</queue><reservation-id>" + id.group()
                        + "</reservation-id><reservation-definition><arrival>" + now + "</arrival><deadline>"
                        + (now + HOUR) + "</deadline><reservation-requests><reservation-request-interpreter>0"
                        + "</reservation-request-interpreter><reservation-request><duration>" + HOUR
                        + "</duration><num-containers>2</num-containers><min-concurrency>1</min-concurrency><capability>"
                        + "<memory>" + CONTAINER_MB + "</memory><vCores>1</vCores></capability></reservation-request>"
                        + "</reservation-requests><reservation-name>over REST</reservation-name></reservation-definition>"
                        + "</reservation-submission-context>");
        assertThat(made.statusCode()).as(made.body()).isBetween(200, 299);
        return ReservationId.parseReservationId(id.group());
    }

    private static HttpResponse<String> send(
            ProcessCluster cluster, String manager, String method, String path, String body) throws Exception {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        HttpRequest request = HttpRequest.newBuilder(
                        cluster.managerUri(manager, "/ws/v1/cluster/" + path + "?user.name=" + user))
                .header("Content-Type", "application/xml")
                .header("Accept", "application/xml")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    private static String path(ReservationId id) {
        return "root.work." + id;
    }

    private static Job sleep(ProcessCluster cluster, ReservationId reservation, int maps, int millis) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", "work");
        conf.set(JobContext.RESERVATION_ID, reservation.toString());
        conf.setInt("yarn.app.mapreduce.am.resource.mb", CONTAINER_MB);
        SleepJob sleeper = new SleepJob();
        sleeper.setConf(conf);
        Job job = sleeper.createJob(maps, 0, millis, 20, 0, 1);
        job.setJobName("job in " + reservation);
        job.submit();
        return job;
    }

    private static JsonNode application(ProcessCluster cluster, Job job) throws IOException {
        String id = TypeConverter.toYarn(job.getJobID()).getAppId().toString();
        return json(cluster, "/ws/v1/cluster/apps/" + id).path("app");
    }

    /** Of all queues, as the active manager has them. */
    private static Map<String, Double> weights(ProcessCluster cluster) {
        Map<String, Double> weights = new TreeMap<>();
        try {
            collect(json(cluster, "/heddle/v1/scheduler").path("root"), weights);
        } catch (IOException e) {
            return Map.of(); // in the middle of taking over
        }
        return weights;
    }

    private static void collect(JsonNode claim, Map<String, Double> weights) {
        if (claim.path("kind").asText().equalsIgnoreCase("queue")) {
            weights.put(claim.path("path").asText(), claim.path("weight").asDouble());
            claim.path("children").forEach(child -> collect(child, weights));
        }
    }

    private static JsonNode json(ProcessCluster cluster, String path) throws IOException {
        return JSON.readTree(cluster.get(cluster.managerUri(cluster.awaitActiveManager(), path)));
    }
}
