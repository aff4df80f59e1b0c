// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionTest {
    static final Problem PROBLEM = new Problem("p", 2, 2, 2, new Alpha(1.3), List.of(job("a"), job("b"), job("c")));
    static final Plan ONE_BY_ONE = new SequentialPlanner().plan(PROBLEM, SearchSteps.limit(2_000));

    @TempDir
    private Path directory;

    private final FakeCluster cluster = new FakeCluster();

    private static Job job(String name) {
        JobCommand command = new JobCommand("x.jar", null, List.of(), Map.of());
        return new Job(name, new PowerModel(16, -0.5), false, true, command);
    }

    @BeforeEach
    void looksAreUnlimited() {
        cluster.pollsLeft = Integer.MAX_VALUE;
    }

    private RunOutcome run(boolean replan) throws IOException, InterruptedException {
        Execution.Listener silent = new Execution.Listener() {
            @Override
            public void polled(int phase, int phases, Map<String, JobStatus> running) {}

            @Override
            public void waits(String why) {
                throw new AssertionError(why);
            }

            @Override
            public void ended(String job, JobStatus status) {}

            @Override
            public void replanned(Plan plan, List<String> leftOut) {}
        };
        return new Execution(cluster, directory, "Run-1", "disk", cluster.clocks, cluster::untilNextPoll, silent)
                .run(PROBLEM, ONE_BY_ONE, replan ? p -> new PhasedPlanner().plan(p, SearchSteps.limit(2_000)) : null);
    }

    @Test
    void jobsRunInOrderAndAreComparedWithThePlan() throws Exception {
        RunOutcome outcome = run(false);
        assertThat(cluster.started).containsExactly("a", "b", "c");
        assertThat(outcome.succeeded(PROBLEM)).isTrue();
        assertThat(outcome.predicted()).isCloseTo(24, within(1e-9));
        assertThat(outcome.actual()).isCloseTo(30, within(3.0));
        assertThat(outcome.phases())
                .hasSize(3)
                .allSatisfy(p -> assertThat(p.overhead()).isCloseTo(1, within(1e-9)));
        assertThat(cluster.properties.get("a"))
                .containsEntry("mapreduce.job.running.map.limit", "4")
                .containsEntry("mapreduce.map.speculative", "false")
                .containsEntry("mapreduce.map.resource.disk", "1");
        assertThat(Feedback.apply(PROBLEM, outcome).jobs().get(0).model().seconds(4))
                .isCloseTo(10, within(1e-9));
    }

    @Test
    void aRunnerThatIsKilledAnywhereContinues() throws Exception {
        for (int looks = 0; looks < 40; looks++) {
            cluster.pollsLeft = 1;
            try {
                run(false);
                break;
            } catch (FakeCluster.Killed expected) {
                assertThat(cluster.started).doesNotHaveDuplicates();
            }
        }
        looksAreUnlimited();
        assertThat(run(false).succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("a", "b", "c");
    }

    @Test
    void finishedJobsAreKnownEvenIfTheResourceManagerForgot() throws Exception {
        RunOutcome first = run(false);
        cluster.forget();
        assertThat(run(false)).isEqualTo(withoutLooks(first));
        assertThat(cluster.started).hasSize(3);
    }

    private static RunOutcome withoutLooks(RunOutcome outcome) {
        return new RunOutcome(outcome.jobs(), outcome.phases(), Double.NaN);
    }

    @Test
    void noJobStartsAfterAFailureAndTheNextCallTriesAgain() throws Exception {
        cluster.failing.add("b");
        assertThat(run(false).succeeded(PROBLEM)).isFalse();
        assertThat(cluster.started).containsExactly("a", "b");
        cluster.failing.clear();
        assertThat(run(false).succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("a", "b", "b", "c");
    }

    @Test
    void replanningTriesAFailedJobOnceMoreAndRunsTheOthers() throws Exception {
        cluster.failing.add("b");
        RunOutcome outcome = run(true);
        assertThat(outcome.succeeded(PROBLEM)).isFalse();
        assertThat(cluster.started).containsExactlyInAnyOrder("a", "b", "b", "c");
        assertThat(outcome.last()).extracting(RunOutcome.JobOutcome::job).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(directory.resolve("plan-1.json")).exists();
        assertThat(run(true).jobs()).isEqualTo(outcome.jobs());
        assertThat(cluster.started).hasSize(4);
    }

    @Test
    void aCutEndMustBeAcceptedAndAnotherVersionIsRefused() throws Exception {
        run(false);
        Path log = firstLog();
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length - 3));
        assertThatThrownBy(() -> run(false)).hasMessageContaining("has lost its records 9 to 9");
        Files.createFile(log.resolveSibling("ends-at-8"));
        assertThat(run(false).succeeded(PROBLEM)).as("the last job runs again").isTrue();
        whole[7] = 2;
        Files.write(log, whole);
        assertThatThrownBy(() -> run(false)).hasMessageContaining("format version 2");
    }

    private Path firstLog() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("journal"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log-"))
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    @Test
    void twoAtOnceAreRefused() throws Exception {
        try (RunJournal other = new RunJournal(directory, cluster::untilNextPoll, why -> {})) {
            assertThat(other.failures("a")).isZero();
            assertThatThrownBy(() -> run(false)).hasMessageContaining("another process runs this plan");
        }
        assertThat(run(false).succeeded(PROBLEM)).isTrue();
    }
}
