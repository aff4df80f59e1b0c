// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The bridge as its README starts it, alone and with a standby: a framework that is no more than HTTP gets an offer.
 */
@Order(40)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class BridgeIT {
    /** Characters of two, three and four bytes in UTF-8. */
    private static final String WORD = "t\u00e2che \u20ac \ud83d\ude00";

    private static final String TASK = """
            {"framework_id": {"value": "FRAMEWORK"}, "type": "ACCEPT", "accept": {
              "offer_ids": [{"value": "OFFER"}], "operations": [{"type": "LAUNCH", "launch": {"task_infos": [{
                "name": "WORD", "task_id": {"value": "WORD"}, "agent_id": {"value": "AGENT"},
                "resources": [{"name": "cpus", "type": "SCALAR", "scalar": {"value": 0.1}},
                              {"name": "mem", "type": "SCALAR", "scalar": {"value": 32}}],
                "command": {"shell": false, "value": "sh",
                  "uris": [{"value": "FILE", "output_file": "WORD", "extract": false}],
                  "arguments": ["sh", "-c",
                    "printf %s \\"$1$TEXT\\" | od -An -v -tx1 | tr -d ' \\\\n'; echo \\" ${LC_ALL-none} ${LANG-none}\\"; sleep 1000",
                    "sh", "WORD"],
                  "environment": {"variables": [{"name": "TEXT", "value": "WORD"}]}}}]}}]}}
            """;

    @Test
    void aFrameworkGetsAnOfferAndTheBridgeEndsWhenTold(SharedCluster shared) throws Exception {
        // Below /var/lib a test may not write.
        String state = "state.dir=" + shared.work().resolve("bridge-state");
        try (Daemon bridge = BridgeDaemon.start(shared, "bridge", 0, state)) {
            URI address = BridgeDaemon.address(shared.cluster(), 0);
            BridgeDaemon.awaitAnswer(bridge, address);
            // It answers before it says so.
            Await.until(
                    "the bridge to say where frameworks connect",
                    SharedCluster.PATIENCE,
                    () -> bridge.output().contains("Frameworks connect to " + address + "/api/v1/scheduler"),
                    bridge::tail);
            try (FrameworkStream events = new FrameworkStream(address, FrameworkStream.subscribe(""))) {
                events.until("\"OFFERS\"");
                assertThat(events.seen()).anyMatch(event -> event.contains("\"SUBSCRIBED\""));
                aTaskGetsEveryByteOfItsText(address, events, shared.work());
            }
            bridge.stop();
            assertThat(bridge.output()).doesNotContain("\tat ");
        }
    }

    /** No daemon of this cluster has a locale. */
    private static void aTaskGetsEveryByteOfItsText(URI address, FrameworkStream events, Path work) throws Exception {
        JsonNode offer = Rest.parse(events.last()).at("/offers/offers/0");
        Path file = Files.writeString(work.resolve("plain.txt"), "fetched");
        String accept = TASK.replace(
                        "FRAMEWORK", offer.at("/framework_id/value").asText())
                .replace("OFFER", offer.at("/id/value").asText())
                .replace("AGENT", offer.at("/agent_id/value").asText())
                .replace("FILE", file.toUri().toString())
                .replace("WORD", WORD);
        assertThat(events.call(accept)).isEqualTo(202);
        String sandbox = Await.value(
                "the task in the bridge's state",
                SharedCluster.PATIENCE,
                () -> sandbox(address),
                () -> "it launched " + accept);
        String bytes = HexFormat.of().formatHex((WORD + WORD).getBytes(StandardCharsets.UTF_8));
        Await.until(
                "the bytes that the task was given, and the node's own locale",
                SharedCluster.PATIENCE,
                () -> read(address, sandbox, "stdout").contains(bytes + " none none"),
                () -> read(address, sandbox, "stdout") + read(address, sandbox, "stderr"));
        assertThat(read(address, sandbox, WORD)).contains("fetched");
        assertThat(Rest.json(files(address, "browse?path=", sandbox)).findValuesAsText("path"))
                .contains(sandbox + "/" + WORD);
    }

    private static @Nullable String sandbox(URI address) throws IOException {
        for (JsonNode task : Rest.json(address.resolve("/state")).findPath("tasks")) {
            if (task.path("id").asText().equals(WORD)) {
                return task.path("sandbox").asText();
            }
        }
        return null;
    }

    private static String read(URI address, String sandbox, String file) {
        try {
            return Rest.get(files(address, "read?offset=0&path=", sandbox + "/" + file))
                    .body();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static URI files(URI address, String request, String path) {
        return address.resolve("/files/" + request + URLEncoder.encode(path, StandardCharsets.UTF_8));
    }

    @Test
    void aStandbyTakesOverWithTheLogInHdfs(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        String state = "state.dir=hdfs://" + cluster.address("namenode") + ":" + Site.NAME_NODE + "/tmp/bridge-state";
        String election = "ha.zookeeper=" + cluster.address("zookeeper") + ":" + Site.ZOOKEEPER;
        String agents = "agent.addresses=" + BridgeDaemon.address(cluster, 0).getHost() + ":25060,"
                + BridgeDaemon.address(cluster, 1).getHost() + ":25061";
        // A bridge that gets no processor for so long ends; a killed one is noticed earlier.
        String session = "ha.session.timeout=10s";
        try (Daemon leader = BridgeDaemon.start(shared, "leader", 0, state, election, session, agents)) {
            URI address = BridgeDaemon.address(cluster, 0);
            BridgeDaemon.awaitAnswer(leader, address);
            // Its health is good before it is elected; only a leader tells its state.
            Await.until(
                    "the first bridge to lead",
                    SharedCluster.PATIENCE,
                    () -> Rest.get(address.resolve("/state")).statusCode() == 200,
                    leader::tail);
            try (Daemon standby = BridgeDaemon.start(shared, "standby", 1, state, election, session, agents)) {
                URI other = BridgeDaemon.address(cluster, 1);
                BridgeDaemon.awaitAnswer(standby, other);
                List<String> events =
                        events(address, FrameworkStream.subscribe(",\"failover_timeout\":600"), "\"OFFERS\"");
                String id = Rest.parse(events.get(0))
                        .at("/subscribed/framework_id/value")
                        .asText();
                leader.kill();
                Await.until(
                        "the standby to lead with the framework of the former leader",
                        SharedCluster.PATIENCE,
                        () -> Rest.get(other.resolve("/state")).body().contains(id),
                        standby::tail);
                String again = FrameworkStream.subscribe(",\"id\":{\"value\":\"" + id + "\"}")
                        .replaceFirst("\\{", "{\"framework_id\":{\"value\":\"" + id + "\"},");
                assertThat(events(other, again, "\"OFFERS\"").get(0)).contains(id);
                standby.stop();
                assertThat(standby.output())
                        .contains("Taking over 1 frameworks")
                        .doesNotContain("\tat ");
            }
        }
    }

    /** Subscribes and reads events until one contains a text; the connection is closed then. */
    private static List<String> events(URI address, String subscribe, String wanted) throws Exception {
        try (FrameworkStream events = new FrameworkStream(address, subscribe)) {
            events.until(wanted);
            return events.seen();
        }
    }
}
