// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.heddle.demos.Stage;
import org.heddle.drf.DrfScheduler;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo offers}: cluster and bridge up, Spark, a MapReduce job and an MPI program come and go. */
@Command(
        name = "offers",
        mixinStandardHelpOptions = true,
        description = {
            "Spark and MPI on resource offers share one cluster with MapReduce under our DRF scheduler, as in Figure 5 of",
            "Nexus: Spark has the cluster; MapReduce comes and gets its half; MPI comes and gets its third; Spark idles, and",
            "the others use its part; Spark works again; MapReduce ends. MPI needs the Debian packages mpich and",
            "libmpich-dev and is skipped without them. Shares are read from the ResourceManager. Exit code 0: each had its",
            "fair share in each phase, to within one container."
        })
public final class OffersDemo implements Callable<Integer> {
    /** Told by the launcher: whether there is a terminal. */
    private static final String TERMINAL = "heddle.demo.terminal";

    private static final int SECONDS = 210;
    private static final int SMALL_SECONDS = 90;

    private static final String SMALL_QUEUES = """
        <heddle-scheduler version="1">
          <queue name="root"><queue name="many"/><queue name="large"/><queue name="mapreduce"/></queue>
        </heddle-scheduler>
        """;

    private static final String QUEUES = """
        <heddle-scheduler version="1">
          <preemption><mode>on</mode><grace-period>6s</grace-period><max-per-second>100%</max-per-second></preemption>
          <queue name="root"><fair-share-preemption-timeout>1s</fair-share-preemption-timeout>
            <queue name="spark"/><queue name="mapreduce"/><queue name="mpi"/></queue>
        </heddle-scheduler>
        """;

    @Option(
            names = "--seconds",
            description = "how long all of it takes at least, once the cluster is up (default: " + SECONDS
                    + "; with --small " + SMALL_SECONDS + ")")
    private @Nullable Integer seconds;

    @Option(
            names = "--small",
            description = "two small frameworks written with the offers client instead of Spark and MPI")
    private boolean small;

    @Option(names = "--out", description = "directory for the plot and logs (default: a new one in demos/target/demo)")
    private @Nullable Path out;

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Override
    public Integer call() throws Exception {
        int length;
        if (seconds != null) {
            length = seconds;
        } else if (small) {
            length = SMALL_SECONDS;
        } else {
            length = SECONDS;
        }
        if (length < 40 || length > 3600) {
            console.println("demo: --seconds " + length + ": give 40 to 3600");
            return 2;
        }
        Stage stage = Stage.set("offers", out, console);
        boolean terminal = Boolean.getBoolean(TERMINAL);
        if (small) {
            return stage.play(
                    plan(SMALL_QUEUES).nodes(3, Map.of("memory-mb", 4096L, "vcores", 6L)),
                    () -> {},
                    cluster -> new BacklogRun(cluster, length, stage.home(), console, terminal).run() ? 0 : 1);
        }
        AtomicReference<SharingRun> running = new AtomicReference<>();
        ClusterBuilder plan = plan(QUEUES).addressesAsNames().nodes(3, Map.of("memory-mb", 8192L, "vcores", 4L));
        return stage.play(plan, () -> Optional.ofNullable(running.get()).ifPresent(SharingRun::close), cluster -> {
            SharingRun run = new SharingRun(cluster, length, Stage.tree(), stage.home(), console, terminal);
            running.set(run);
            return run.run() ? 0 : 1;
        });
    }

    private static ClusterBuilder plan(String queues) {
        return HeddleCluster.builder()
                .scheduler(DrfScheduler.class.getName())
                .queuesFile("yarn.scheduler.heddle.configuration.file", queues)
                .users("alice")
                .property("yarn.app.mapreduce.am.resource.mb", "512")
                .property("mapreduce.map.memory.mb", "512")
                .hdfs(1)
                .mapReduce()
                .withoutHistoryServer();
    }
}
