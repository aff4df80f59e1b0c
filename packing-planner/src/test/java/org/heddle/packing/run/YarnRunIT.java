// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.WaveModel;
import org.heddle.packing.solve.PhasedPlanner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A plan on a real ResourceManager with disks as a resource, jobs as real programs. */
class YarnRunIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 6144L, "vcores", 8L, "disk", 2L))
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9")
            .mapReduce()
            .withoutHistoryServer()
            .build();

    @TempDir
    private Path directory;

    private final Map<String, Integer> most = new HashMap<>();
    private final List<String> ended = new ArrayList<>();
    private int mostDisksOnANode;

    private static Job sleep(String name, int tasks, int millis) throws Exception {
        URI jar = SleepJob.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        List<String> args = List.of("-m", String.valueOf(tasks), "-r", "0", "-mt", String.valueOf(millis));
        return new Job(
                name,
                new WaveModel(tasks, millis / 1000.0, 10),
                false,
                true,
                new JobCommand(Path.of(jar).toString(), "sleep", args, Map.of()));
    }

    private Outcome run(Problem problem, Plan plan, String id) throws Exception {
        try (Cluster yarn = new YarnCluster(cluster.configuration(), directory)) {
            assertThat(yarn.knowsResource("disk")).isTrue();
            PlanRunner.Listener listener = new PlanRunner.Listener() {
                @Override
                public void looked(int phase, int phases, Map<String, JobStatus> running) {
                    running.forEach((job, status) -> most.merge(job, status.containers(), Math::max));
                    for (RMNode node : cluster.resourceManager()
                            .getRMContext()
                            .getRMNodes()
                            .values()) {
                        Resource used = cluster.resourceManager()
                                .getResourceScheduler()
                                .getNodeReport(node.getNodeID())
                                .getUsedResource();
                        mostDisksOnANode = Math.max(mostDisksOnANode, (int) used.getResourceValue("disk"));
                    }
                }

                @Override
                public void ended(String job, JobStatus status) {
                    ended.add(job);
                }
            };
            return new PlanRunner(
                            yarn,
                            problem,
                            plan,
                            id,
                            "disk",
                            directory.resolve(id + ".jsonl"),
                            System::currentTimeMillis,
                            () -> TimeUnit.MILLISECONDS.sleep(500),
                            listener)
                    .run();
        }
    }

    @Test
    void runsPhaseByPhaseWithinItsCapsAndContinuesInsteadOfRunningAgain() throws Exception {
        Problem problem =
                new Problem("it", 2, 2, 2, new Alpha(1.3), List.of(sleep("wide", 6, 3_000), sleep("narrow", 2, 4_000)));
        Plan plan = new PhasedPlanner().plan(problem, SolveContext.quiet(10));
        Outcome outcome = run(problem, plan, "it-one");
        assertThat(outcome.succeeded()).as(outcome.toString()).isTrue();
        assertThat(outcome.jobs()).hasSize(2);
        outcome.jobs().forEach(job -> {
            assertThat(most.getOrDefault(job.job(), 0)).isBetween(1, job.vms() + 1);
            assertThat(job.actual()).isPositive();
        });
        assertThat(mostDisksOnANode).isBetween(1, 2);
        int applications = cluster.resourceManager().getRMContext().getRMApps().size();
        ended.clear();
        Outcome again = run(problem, plan, "it-one");
        assertThat(again.succeeded()).isTrue();
        assertThat(ended).isEmpty();
        assertThat(cluster.resourceManager().getRMContext().getRMApps()).hasSize(applications);
        assertThat(Feedback.apply(problem, again).jobs()).hasSize(2);
    }

    @Test
    void aFailedJobIsReportedAndEndsTheRun() throws Exception {
        Job broken = new Job(
                "broken",
                new WaveModel(1, 1, 10),
                false,
                false,
                new JobCommand(
                        directory.resolve("nothing.jar").toString(), "org.example.Nothing", List.of(), Map.of()));
        Problem problem = new Problem("bad", 2, 2, 2, new Alpha(1.3), List.of(broken));
        Plan plan = new PhasedPlanner().plan(problem, SolveContext.quiet(10));
        Outcome outcome = run(problem, plan, "it-bad");
        assertThat(outcome.succeeded()).isFalse();
        assertThat(outcome.jobs().get(0).status().trouble()).contains("no application appeared", "exit code");
    }
}
