// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What stock clients and a client of Hadoop's public API meet under our scheduler: weights per resource, a share order
 * of a user's own, resize, lifetimes, moves, priorities, reservations, changes over the network. Five applications of
 * five users are made once; the tests look at them in order, and end some.
 */
@Order(20)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class StockClientsIT {
    /** USER:QUEUE:CONTAINERS:MB:VCORES; the first holds all 32 cores of both nodes while the others come. */
    private static final String[] APPLICATIONS = {
        "blocker:root.other:32:256:1",
        "m:root.weighted.many:14:128:1",
        "f:root.weighted.few:6:128:1",
        "early:root.ordered:10:128:1",
        "late:root.ordered:12:128:1",
    };

    private static @Nullable Daemon started;
    private static String classPath = "";

    @BeforeAll
    static void fiveApplications(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        shared.failOver();
        assertThat(Queues.find(cluster, "root.weighted.many").isEmpty()).isFalse();
        classPath = Sources.compile(
                        "Holder.java",
                        cluster.client("hadoop", "classpath")
                                .run()
                                .orFail()
                                .out()
                                .strip())
                .toString();
        started = cluster.java(classPath, "Holder", (Object[]) APPLICATIONS)
                .start("holder", shared.work().resolve("holder.log"));
        cluster.await("five applications to be there", () -> applications().size() == 5);
        assertThat(containers(cluster)).containsEntry("blocker", 32);
    }

    /** What an unmanaged master held would stay for ten minutes after its process. */
    @AfterAll
    static void end(SharedCluster shared) throws Exception {
        Daemon holder = started;
        if (holder != null) {
            String all = String.join(" ", applications().values());
            CommandResult killed =
                    shared.cluster().client("yarn", "application", "-kill", all).run();
            holder.kill();
            assertThat(killed.text()).contains("Killed application");
        }
    }

    /** The weighted half of 16 cores by 3 to 1; the other half to whoever came last, as far as he asks. */
    @Test
    @Order(1)
    void whatOneFreesGoesByWeightsOfResourcesAndByTheUsersOwnOrder(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        assertThat(Queues.find(cluster, "root.ordered").path("order").asText()).isEqualTo("latest");

        CommandResult killed = cluster.client("yarn", "application", "-kill", of("blocker"))
                .as("blocker")
                .run()
                .orFail();

        assertThat(killed.text()).contains("Killed application");
        Map<String, Integer> expected = Map.of("m", 12, "f", 4, "early", 4, "late", 12);
        cluster.await(
                "what the blocker held to be given away",
                () -> containers(cluster).values().stream()
                                .mapToInt(count -> count)
                                .sum()
                        == 32);
        assertThat(containers(cluster)).isEqualTo(expected);
    }

    @Test
    @Order(2)
    void anApplicationIsMovedAndGetsAnotherPriority(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        String early = of("early");
        cluster.client("yarn", "application", "-appId", early, "-updatePriority", "5")
                .as("early")
                .run()
                .orFail();
        cluster.client("yarn", "application", "-movetoqueue", early, "-queue", "root.other")
                .as("early")
                .run()
                .orFail();
        String status = cluster.client("yarn", "application", "-status", early)
                .as("early")
                .run()
                .orFail()
                .out();
        assertThat(status).contains("Queue : root.other").contains("Application Priority : 5");
        assertThat(containers(cluster)).containsEntry("early", 4);
    }

    @Test
    @Order(3)
    void aChangeOfWeightsByRestIsInTheFileAndInForce(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        HttpResponse<String> answer = Rest.send(
                "PUT",
                cluster.manager("/ws/v1/cluster/scheduler-conf?user.name=" + System.getProperty("user.name")),
                "application/xml",
                """
                <sched-conf><update-queue><queue-name>root.weighted.few</queue-name><params>
                  <entry><key>weight</key><value>2</value></entry></params></update-queue></sched-conf>
                """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        // The answer about queues may be a second old: metrics are read meanwhile.
        cluster.await(
                "the weight to be in force",
                () -> Queues.find(cluster, "root.weighted.few").path("weight").asDouble() == 2);
        assertThat(Files.readString(cluster.site().resolve("heddle-scheduler.xml")))
                .contains("<weight>2</weight>")
                .contains("<order>latest</order>");
    }

    /**
     * YARN's REST for scheduler activities: the first request has the next heartbeat recorded, a later one reads it.
     */
    @Test
    @Order(4)
    void activitiesTellWhyAnApplicationGetsNoMore(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        String node =
                cluster.rest("/ws/v1/cluster/nodes").at("/nodes/node/0/id").asText();
        String ofNode = "/ws/v1/cluster/scheduler/activities?nodeId=" + node;
        cluster.await(
                "a heartbeat of " + node + " to be recorded",
                () -> cluster.rest(ofNode)
                        .at("/activities/allocations")
                        .toString()
                        .contains(of("m")));
        assertThat(cluster.rest(ofNode).toString())
                .contains("root.weighted.many", "Node does not have sufficient resource for request");

        String ofM = "/ws/v1/cluster/scheduler/app-activities/" + of("m") + "?groupBy=diagnostic&summarize=true";
        cluster.await(
                "a heartbeat to be recorded for " + of("m"),
                () -> cluster.rest(ofM).toString().contains("Node does not have sufficient resource for request"));
        assertThat(cluster.rest(ofM)
                        .at("/appActivities/allocations/0/queueName")
                        .asText())
                .isEqualTo("root.weighted.many");
    }

    /** Its JSON of Hadoop 3.5.0 is none that its own ResourceManager reads: then it must not be called a success. */
    @Test
    @Order(5)
    void schedconfOfThisLineIsRefusedInASentence(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        CommandResult refused = cluster.client("yarn", "schedconf", "-update", "root.weighted.few:weight=4")
                .run();
        assertThat(refused.text()).contains("Configuration change unsuccessful: The change says nothing");
        assertThat(Queues.find(cluster, "root.weighted.few").path("weight").asDouble())
                .isEqualTo(2.0);
    }

    @Test
    @Order(6)
    void aLifetimeEndsAnApplication(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        String late = of("late");
        cluster.client("yarn", "application", "-appId", late, "-updateLifetime", "2")
                .as("late")
                .run()
                .orFail();
        cluster.await(
                "the application to be ended",
                () -> cluster.rest("/ws/v1/cluster/apps/" + late)
                        .at("/app/state")
                        .asText()
                        .equals("KILLED"));
        assertThat(cluster.rest("/ws/v1/cluster/apps/" + late)
                        .at("/app/diagnostics")
                        .asText())
                .containsIgnoringCase("lifetime");
    }

    /** By Hadoop's public API: the container runs a command on its node meanwhile. */
    @Test
    @Order(7)
    void aContainerIsResizedWhileItRuns(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        try (Daemon grower = cluster.java(classPath, "Holder", "grower:root.other:1:256:1:1024")
                .start("grower", shared.work().resolve("grower.log"))) {
            Matcher resized = Await.value(
                    "the container to be resized",
                    SharedCluster.PATIENCE,
                    () -> {
                        Matcher found =
                                Pattern.compile("resized grower (\\S+) 1024").matcher(grower.output());
                        return found.find() ? found : null;
                    },
                    () -> grower.tail() + cluster.tails());
            String app = application(grower, "grower");
            assertThat(resized.group(1)).contains(app.replace("application_", ""));
            cluster.await(
                    "the books to say so",
                    () -> cluster.rest("/ws/v1/cluster/apps/" + app)
                                    .at("/app/allocatedMB")
                                    .asInt()
                            == 1024);
            cluster.client("yarn", "application", "-kill", app)
                    .as("grower")
                    .run()
                    .orFail();
        }
    }

    @Test
    @Order(8)
    void aReservationIsMadeListedAndDeletedByRest(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        String id = Reservations.make(cluster, "planned", "early");
        assertThat(cluster.rest("/ws/v1/cluster/reservation/list?queue=planned&user.name=early")
                        .toString())
                .contains(id);
        cluster.await(
                "the reservation to have a queue",
                () -> !Queues.find(cluster, "root.planned." + id).isEmpty());
        Reservations.delete(cluster, id, "early");
    }

    /** docs/metrics.md against /prom, where m's application runs. */
    @Test
    @Order(8)
    void everyDocumentedMetricIsAtProm(SharedCluster shared) throws Exception {
        String doc = Files.readString(SourceTree.root().resolve("docs/metrics.md"));
        Set<String> documented = new TreeSet<>();
        Pattern.compile("`(queue_metrics_[a-z_]+)`")
                .matcher(doc)
                .results()
                .forEach(found -> documented.add(found.group(1)));
        assertThat(documented).hasSizeGreaterThan(15);
        String own = doc.substring(0, doc.indexOf("## Each queue and user"));
        Pattern.compile("(?m)\\| `([A-Z]\\w+)` \\|$")
                .matcher(own)
                .results()
                .forEach(found -> documented.add("heddle_scheduler"
                        + found.group(1).replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)));
        assertThat(documented).contains("heddle_scheduler_node_heartbeats", "heddle_scheduler_errors_contained");
        String prom = Rest.get(shared.cluster().manager("/prom")).body();
        for (String name : documented) {
            assertThat(prom).as(name).containsPattern("(?m)^" + name + "\\{");
        }
        for (String what : List.of("allocated", "pending", "reserved")) {
            String ofUser = "(?m)^queue_metrics_" + what + "_containers\\{[^}]*user=\"m\"[^}]*} [0-9.]+$";
            assertThat(prom).as(what + " containers of user m").containsPattern(ofUser);
        }
    }

    @Test
    @Order(9)
    void otherStockCommandsAnswer(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        assertThat(cluster.client("yarn", "application", "-list")
                        .as("m")
                        .run()
                        .orFail()
                        .out())
                .contains("root.weighted.many")
                .contains("holder");
        assertThat(cluster.client("yarn", "node", "-list").run().orFail().out()).contains("Total Nodes:2");
        assertThat(cluster.client("yarn", "rmadmin", "-getAllServiceState")
                        .run()
                        .orFail()
                        .out())
                .contains("active")
                .contains("standby");
        for (String line : Documented.commandsOf("StockClientsIT")) {
            String here = line.replaceFirst("application_\\d+_\\d+", of("m"))
                    .replace("http://localhost:8088", cluster.manager("").toString());
            CommandResult why = cluster.command("bash", "-c", here)
                    .in(shared.distribution().directory())
                    .with("PATH", shared.distribution().directory().resolve("bin") + ":" + System.getenv("PATH"))
                    .with("HEDDLE_RM", cluster.manager("/"))
                    .run()
                    .orFail();
            assertThat(why.out())
                    .contains(line.contains(" why ") ? of("m") : line.contains("--csv") ? "day,queue," : "Usage");
        }
        usageIsWhatYarnCounts(shared);
    }

    /** The application still runs, so YARN counts on while it is asked: before and after. */
    private static void usageIsWhatYarnCounts(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        JsonNode before = cluster.rest("/ws/v1/cluster/apps/" + of("m")).path("app");
        JsonNode report =
                cluster.rest("/heddle/v1/usage?by=application,user,queue").path("usage");
        JsonNode after = cluster.rest("/ws/v1/cluster/apps/" + of("m")).path("app");
        JsonNode line = null;
        for (JsonNode each : report) {
            line = each.path("application").asText().equals(of("m")) ? each : line;
        }
        assertThat(line).as(report.toString()).isNotNull();
        assertThat(line.path("user").asText()).isEqualTo("m");
        // YARN's own figure is up to three seconds old.
        double perSecond = after.path("allocatedMB").asDouble();
        assertThat(line.path("resourceSeconds").path("memory-mb").asDouble())
                .isBetween(
                        before.path("memorySeconds").asDouble() - 2 * perSecond,
                        after.path("memorySeconds").asDouble() + 5 * perSecond);
    }

    /** The applications by their users, as the client told of them. */
    private static Map<String, String> applications() {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher lines = Pattern.compile("application (\\S+) (application_\\S+)")
                .matcher(Objects.requireNonNull(started).output());
        while (lines.find()) {
            found.put(lines.group(1), lines.group(2));
        }
        return found;
    }

    private static String of(String user) {
        return Objects.requireNonNull(applications().get(user));
    }

    private static String application(Daemon client, String user) {
        Matcher line =
                Pattern.compile("application " + user + " (application_\\S+)").matcher(client.output());
        assertThat(line.find()).as(client.tail()).isTrue();
        return line.group(1);
    }

    /** How many containers each user holds, of those who hold any. */
    private static Map<String, Integer> containers(Cluster cluster) throws Exception {
        Map<String, Integer> found = new LinkedHashMap<>();
        for (JsonNode app : cluster.rest("/ws/v1/cluster/apps?states=RUNNING").at("/apps/app")) {
            if (app.path("runningContainers").asInt() > 0) {
                found.put(
                        app.path("user").asText(), app.path("runningContainers").asInt());
            }
        }
        return found;
    }
}
