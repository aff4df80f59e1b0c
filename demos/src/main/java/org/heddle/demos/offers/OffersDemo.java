// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.heddle.demos.Stage;
import org.heddle.drf.DrfScheduler;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo offers}: cluster and bridge up, two frameworks and a MapReduce job come one after the other. */
@Command(
        name = "offers",
        mixinStandardHelpOptions = true,
        description = {
            "Two frameworks written with the offers client and a MapReduce job share one cluster under our DRF"
                    + " scheduler.",
            "The first framework has it alone, then the second comes, then the job. Shares are read from the",
            "ResourceManager. Exit code 0: all three got their part, and no task was lost."
        })
public final class OffersDemo implements Callable<Integer> {
    /** Told by the launcher: whether there is a terminal. */
    private static final String TERMINAL = "heddle.demo.terminal";

    private static final String QUEUES = """
        <heddle-scheduler version="1">
          <queue name="root"><queue name="many"/><queue name="large"/><queue name="mapreduce"/></queue>
        </heddle-scheduler>
        """;

    @Option(
            names = "--seconds",
            defaultValue = "90",
            description = "how long all of it takes, once the cluster is up (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--out", description = "directory for the plot and logs (default: a new one in demos/target/demo)")
    private @Nullable Path out;

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Override
    public Integer call() throws Exception {
        if (seconds < 40 || seconds > 3600) {
            console.println("demo: --seconds " + seconds + ": give 40 to 3600");
            return 2;
        }
        Stage stage = Stage.set("offers", out, console);
        ClusterBuilder plan = HeddleCluster.builder()
                .scheduler(DrfScheduler.class.getName())
                .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
                .nodes(3, Map.of("memory-mb", 4096L, "vcores", 6L))
                .users("alice")
                .property("yarn.app.mapreduce.am.resource.mb", "512")
                .property("mapreduce.map.memory.mb", "512")
                .hdfs(1)
                .mapReduce()
                .withoutHistoryServer();
        return stage.play(
                plan,
                () -> {},
                cluster -> new OffersRun(cluster, seconds, stage.home(), console, Boolean.getBoolean(TERMINAL)).run()
                        ? 0
                        : 1);
    }
}
