// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.heddle.offers.Main;
import org.heddle.offers.client.Bridges;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.ProcessDaemon;

/** One bridge, or two of which one stands by, as processes of a cluster. */
final class BridgeGroup implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int PORT = 5050;
    private static final int REDIRECTION = 307;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ProcessDaemon> bridges;

    /**
     * Starts them, and waits until one leads and the other stands by.
     *
     * @param state directory of the log
     * @param election path of the election in ZooKeeper
     */
    BridgeGroup(ProcessCluster cluster, boolean standby, String state, String election) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--define=heddle.bridge.state.dir=" + state));
        if (standby) {
            arguments.add("--define=heddle.bridge.ha.path=" + election);
            arguments.add("--define=heddle.bridge.ha.zookeeper="
                    + cluster.configuration().get("hadoop.zk.address"));
            bridges = cluster.startBridges(Main.class.getName(), arguments, "bridge", "bridge2");
        } else {
            bridges = List.of(cluster.startBridge(Main.class.getName(), arguments));
        }
        Await.until("one bridge to lead and the others to stand by", PATIENCE, this::isReady, this::tails);
    }

    private boolean isReady() throws IOException, InterruptedException {
        int leaders = 0;
        int standbys = 0;
        for (ProcessDaemon bridge : bridges) {
            int status = status(bridge);
            leaders += status == HttpURLConnection.HTTP_OK ? 1 : 0;
            standbys += status == REDIRECTION ? 1 : 0;
        }
        return leaders == 1 && standbys == bridges.size() - 1;
    }

    /** Of a page that the leader fills from its state. A standby redirects to the leader. */
    private int status(ProcessDaemon bridge) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(bridge).resolve("/metrics/snapshot"))
                .timeout(ANSWER)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static URI uri(ProcessDaemon bridge) {
        return URI.create("http://" + bridge.address() + ":" + PORT);
    }

    /** The one that answers as the leader. */
    ProcessDaemon leader() throws IOException, InterruptedException {
        for (ProcessDaemon bridge : bridges) {
            if (bridge.isAlive() && status(bridge) == HttpURLConnection.HTTP_OK) {
                return bridge;
            }
        }
        throw new IOException("no bridge leads");
    }

    /** For frameworks. */
    Bridges addresses() {
        return Bridges.at(bridges.stream().map(BridgeGroup::uri).toArray(URI[]::new));
    }

    List<InetSocketAddress> sockets() {
        return bridges.stream()
                .map(bridge -> new InetSocketAddress(bridge.address(), PORT))
                .toList();
    }

    /** The ends of their logs. */
    String tails() {
        return bridges.stream().map(ProcessDaemon::tail).collect(Collectors.joining("\n"));
    }

    /** Kills those that still run. */
    @Override
    public void close() {
        bridges.forEach(ProcessDaemon::kill);
    }
}
