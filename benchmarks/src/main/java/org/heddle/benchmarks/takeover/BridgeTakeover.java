// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.fixture.UnfinishedRequests;
import org.heddle.offers.fixture.WireClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.HadoopDefaults;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.ProcessDaemon;

/**
 * Kills bridges with a framework and unfinished requests, and prints what was there again and when, a line of a table
 * for each: {@code BridgeTakeover REPETITIONS}. A standby takes over; a bridge alone is started again at once.
 */
public final class BridgeTakeover {
    static final int UNFINISHED = 1_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DATA_NODES = 3;

    private final ProcessCluster cluster;
    private int groups;

    private BridgeTakeover(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    public static void main(String[] args) throws Exception {
        try (ProcessCluster cluster = ComparedScheduler.HEDDLE
                .cluster()
                .oneManager()
                .nodes(2, 4096, 8)
                .dataNodes(DATA_NODES)
                .properties(HadoopDefaults.all())
                .start()) {
            BridgeTakeover takeover = new BridgeTakeover(cluster);
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                for (boolean hdfs : List.of(true, false)) {
                    for (boolean standby : List.of(true, false)) {
                        System.out.println(
                                PrintedTable.of("what is killed", row(standby, hdfs), takeover.figures(standby, hdfs)));
                    }
                }
            }
        }
        System.exit(0); // clients of Hadoop leave threads
    }

    private static String row(boolean standby, boolean hdfs) {
        return (standby ? "bridge and standby" : "one bridge") + (hdfs ? ", log in HDFS" : ", log on a local disk");
    }

    private Map<String, Double> figures(boolean standby, boolean hdfs) throws IOException, InterruptedException {
        String name = "bridge-log-" + groups++;
        String state = hdfs
                ? cluster.configuration().get("fs.defaultFS") + "/tmp/" + name
                : Files.createDirectories(cluster.home().resolve(name)).toString();
        Timeline timeline = new Timeline();
        SteadyFramework framework = new SteadyFramework(timeline);
        FrameworkInfo info = WireClient.info("steady").setFailoverTimeout(600).build();
        try (BridgeGroup bridges = new BridgeGroup(cluster, standby, state, "/" + name);
                UnfinishedRequests unfinished = new UnfinishedRequests(UNFINISHED, bridges.sockets());
                HttpSchedulerDriver driver = new HttpSchedulerDriver(framework, info, bridges.addresses())) {
            Await.until(
                    "all connections",
                    PATIENCE,
                    () -> unfinished.open() == UNFINISHED,
                    () -> unfinished.open() + " are open\n" + bridges.tails());
            driver.start();
            Await.until("the tasks to run", PATIENCE, framework::isSteady, bridges::tails);
            ProcessDaemon leader = bridges.leader();

            timeline.begin();
            leader.kill();
            if (!standby) {
                leader.start();
            }
            Map<String, Double> figures = timeline.await(
                    List.of(
                            TakeoverExperiment.LEADS,
                            SteadyFramework.BACK,
                            SteadyFramework.RECONCILED,
                            SteadyFramework.OFFER,
                            SteadyFramework.TASK),
                    Map.of(TakeoverExperiment.LEADS, () -> bridges.leader().isAlive()),
                    () -> framework.problems() + "\n" + bridges.tails());
            if (!framework.problems().isEmpty()) {
                throw new IOException(row(standby, hdfs) + ": after the kill "
                        + framework.problems().get(0));
            }
            driver.stop(false);
            Await.until(
                    "the framework's containers to end",
                    PATIENCE,
                    () -> cluster.metric("allocatedMB") == 0,
                    bridges::tails);
            return figures;
        }
    }
}
