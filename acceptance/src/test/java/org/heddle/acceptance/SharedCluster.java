// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster for all test classes, which walk with it in the order of their {@code @Order}. For {@link SwitchOverIT}
 * it starts under FairScheduler with our jars installed, is switched to ours while a job runs, is used, and is switched
 * back; where that class does not run, it starts under ours.
 */
final class SharedCluster implements AutoCloseable {
    static final String FAIR = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler";
    static final String HEDDLE = "org.heddle.drf.DrfScheduler";
    static final String EXPIRY = "yarn.resourcemanager.rm.container-allocation.expiry-interval-ms";
    static final String FAIR_EXPIRY = "76000";

    /** Under ours: applications hold containers in which they start nothing, for as long as the tests take. */
    static final String LONG_EXPIRY = "3600000";

    /** What an administrator had before. */
    static final String FAIR_FILE = """
            <?xml version="1.0"?>
            <allocations>
              <queue name="alpha">
                <weight>3.0</weight>
                <maxRunningApps>20</maxRunningApps>
              </queue>
              <queue name="beta">
                <schedulingPolicy>fifo</schedulingPolicy>
              </queue>
              <queuePlacementPolicy>
                <rule name="specified" create="false"/>
                <rule name="default" queue="beta"/>
              </queuePlacementPolicy>
            </allocations>
            """;

    /** What he writes for ours. */
    static final String HEDDLE_FILE = """
            <heddle-scheduler version="1">
              <queue name="root">
                <queue name="weighted">
                  <queue name="many"><weight>1</weight><weight resource="vcores">3</weight></queue>
                  <queue name="few"/>
                </queue>
                <queue name="ordered"><order>latest</order><divide-by>applications</divide-by></queue>
                <queue name="other"><max-application-lifetime>1h</max-application-lifetime></queue>
                <queue name="planned"><plan/></queue>
                <queue name="alpha"/>
              </queue>
            </heddle-scheduler>
            """;

    private final Distribution distribution;
    private final HadoopHome home;
    private final List<String> before;
    private final Cluster cluster;

    private SharedCluster(boolean switched) throws IOException {
        distribution = Distribution.unpack();
        home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        before = SourceTree.list(home.path());
        distribution.install(home, "drf", "market", "late");
        addShareOrder();
        Cluster.Builder builder = Cluster.builder(home).pair().file("fair-scheduler.xml", FAIR_FILE);
        if (switched) {
            builder.scheduler(HEDDLE).file("heddle-scheduler.xml", HEDDLE_FILE).property(EXPIRY, LONG_EXPIRY);
        } else {
            // FairScheduler may place an attempt's first container where nobody takes it; the attempt waits until that
            // container expires, after ten minutes by default. The bridge's offers last for 80 % of this time at most.
            builder.scheduler(FAIR).property(EXPIRY, FAIR_EXPIRY);
        }
        cluster = builder.nodes(2, 8192, 16)
                .property("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator")
                .property("yarn.scheduler.heddle.configuration.reload-interval-ms", "1000")
                .property("yarn.scheduler.heddle.configuration.mutable", "true")
                .property("yarn.cluster.max-application-priority", "10")
                .property("hadoop.prometheus.endpoint.enabled", "true")
                .property("yarn.resourcemanager.reservation-system.enable", "true")
                .property("yarn.resourcemanager.application-timeouts.monitor.interval-ms", "500")
                .start();
    }

    /** A jar of the user's own, made against nothing but the shipped jar. */
    private void addShareOrder() throws IOException {
        Path ours = HadoopHome.only(distribution.directory().resolve("plugins"), "heddle-drf-scheduler-");
        Path classes = Sources.compile("LatestOrder.java", ours.toString());
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("org.heddle.scheduler.policy.ShareOrders$Provider"), "com.example.LatestOrder\n");
        Command.of(Path.of(System.getProperty("java.home"), "bin", "jar"), "-cf", orderJar(), "-C", classes, ".")
                .run()
                .orFail();
    }

    /** Where the user puts it. */
    Path orderJar() {
        return home.path().resolve("share/hadoop/yarn/lib/latest-order.jar");
    }

    Distribution distribution() {
        return distribution;
    }

    HadoopHome home() {
        return home;
    }

    /** The files of the Hadoop installation before ours came. */
    List<String> filesBefore() {
        return before;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Starts the ResourceManager that is not active anew. */
    void restartStandby() throws IOException {
        new ManagerPair(cluster).restartStandby();
    }

    /** Starts the active ResourceManager anew, so that the other one takes over. */
    void failOver() throws IOException {
        new ManagerPair(cluster).restartActive();
    }

    /** Where tests put files for the jobs that run. */
    Path work() {
        return cluster.directory();
    }

    @Override
    public void close() throws IOException {
        cluster.close();
        SourceTree.delete(distribution.directory());
        SourceTree.delete(home.path());
    }

    /** Hands it to tests that name it as a parameter. */
    static final class Extension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SharedCluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(SharedCluster.class, key -> {
                        try {
                            return new SharedCluster(context.getRequiredTestClass() != SwitchOverIT.class);
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
        }
    }

    static final Duration PATIENCE = Duration.ofMinutes(2);
}
