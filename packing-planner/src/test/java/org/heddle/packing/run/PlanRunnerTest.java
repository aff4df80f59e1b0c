// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two phases: a and b side by side, then c. On the fake cluster each job takes ten seconds. */
class PlanRunnerTest {
    private static final Problem PROBLEM =
            new Problem("p", 2, 2, 2, new Alpha(1.3), List.of(job("a"), job("b"), job("c")));
    private static final Plan PLAN = new Plan(
            "p",
            "phased",
            PlanKind.PHASED,
            16,
            16,
            "by hand",
            List.of(
                    new Phase(0, 8, List.of(assignment("a", Role.HOST, 4, 0), assignment("b", Role.EXTRA, 1, 0))),
                    new Phase(8, 8, List.of(assignment("c", Role.NORMAL, 4, 8)))),
            List.of());

    @TempDir
    private Path directory;

    private @Nullable RunJournal journal;

    private final FakeCluster cluster = new FakeCluster();
    private final List<String> events = new ArrayList<>();

    private static Job job(String name) {
        JobCommand command = new JobCommand("x.jar", null, List.of(), Map.of());
        return new Job(name, new PowerModel(16, -0.5), true, true, command);
    }

    private static Assignment assignment(String job, Role role, int vms, double start) {
        return new Assignment(job, role, vms, start, 8, 1, List.of());
    }

    /** The journal of a runner that was killed is closed when the next one starts, as with a process that has ended. */
    private RunJournal journal() throws IOException {
        close();
        RunJournal opened = new RunJournal(directory, cluster::untilNextPoll, why -> {});
        journal = opened;
        return opened;
    }

    @AfterEach
    void close() throws IOException {
        if (journal != null) {
            journal.close();
        }
    }

    private PlanRunner runner(int mostFailures) throws IOException {
        return runner(PROBLEM, PLAN, mostFailures);
    }

    private PlanRunner runner(Problem problem, Plan plan, int mostFailures) throws IOException {
        Execution.Listener listener = new Execution.Listener() {
            @Override
            public void polled(int phase, int phases, Map<String, JobStatus> running) {
                events.add(phase + "/" + phases + " " + new TreeSet<>(running.keySet()));
            }

            @Override
            public void waits(String why) {
                events.add(why);
            }

            @Override
            public void ended(String job, JobStatus status) {
                events.add(job + " " + status.state());
            }

            @Override
            public void replanned(Plan plan, List<String> leftOut) {
                events.add("replanned");
            }
        };
        PlanRunner.Run run =
                new PlanRunner.Run(cluster, "Run-1", "disk", cluster.clocks, cluster::untilNextPoll, listener);
        return new PlanRunner(run, journal(), problem, plan, 0, mostFailures, null);
    }

    @Test
    void phasesRunInOrderAndTheListenerGetsEachStep() throws Exception {
        RunOutcome outcome = runner(Integer.MAX_VALUE).run();
        assertThat(cluster.started).containsExactly("a", "b", "c");
        assertThat(outcome.succeeded(PROBLEM)).isTrue();
        List<String> changes = new ArrayList<>();
        events.forEach(event -> {
            if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(event)) {
                changes.add(event);
            }
        });
        assertThat(changes)
                .containsExactly(
                        "1/2 [a, b]", "a SUCCEEDED", "b SUCCEEDED", "1/2 []", "2/2 [c]", "c SUCCEEDED", "2/2 []");
    }

    @Test
    void theOutcomeComparesEachPhaseWithThePlan() throws Exception {
        RunOutcome outcome = runner(Integer.MAX_VALUE).run();
        assertThat(outcome.phases())
                .extracting(RunOutcome.PhaseOutcome::number, RunOutcome.PhaseOutcome::predicted)
                .containsExactly(tuple(1, 8.0), tuple(2, 8.0));
        assertThat(outcome.phases()).allSatisfy(phase -> {
            assertThat(phase.actual()).isCloseTo(10, within(1e-9));
            assertThat(phase.overhead()).isCloseTo(1, within(1e-9));
        });
        assertThat(outcome.jobs())
                .extracting(RunOutcome.JobOutcome::job, RunOutcome.JobOutcome::vms)
                .containsExactly(tuple("a", 4), tuple("b", 1), tuple("c", 4));
    }

    @Test
    void extrasTakeNoDisk() throws Exception {
        runner(Integer.MAX_VALUE).run();
        assertThat(cluster.properties.get("a")).containsEntry("mapreduce.map.resource.disk", "1");
        assertThat(cluster.properties.get("b"))
                .containsEntry("mapreduce.map.resource.disk", "0")
                .containsEntry("mapreduce.job.running.map.limit", "1");
    }

    @Test
    void afterAFailureThePhaseEndsAndTheNextOneDoesNotStart() throws Exception {
        cluster.failing.add("b");
        RunOutcome outcome = runner(Integer.MAX_VALUE).run();
        assertThat(cluster.started).containsExactly("a", "b");
        assertThat(events).contains("a SUCCEEDED", "b FAILED");
        assertThat(outcome.phases()).hasSize(1);
    }

    @Test
    void aJobThatHasFailedOftenEnoughIsNotTriedAgain() throws Exception {
        cluster.failing.add("b");
        runner(2).run();
        runner(2).run();
        runner(2).run();
        assertThat(cluster.started).containsExactly("a", "b", "b");
    }

    @Test
    void aProgramThatEndsWithoutAnApplicationIsAFailureWithAReason() throws Exception {
        cluster.lost.add("a");
        RunOutcome outcome = runner(Integer.MAX_VALUE).run();
        JobStatus status = outcome.last().get(0).status();
        assertThat(status.state()).isEqualTo(JobStatus.State.FAILED);
        assertThat(status.trouble()).isEqualTo("no application appeared: fake");
    }

    @Test
    void aRunnerThatIsStartedAgainWaitsForTheJobsThatRun() throws Exception {
        cluster.pollsLeft = 5;
        assertThatThrownBy(() -> runner(Integer.MAX_VALUE).run()).isInstanceOf(FakeCluster.Killed.class);
        assertThat(cluster.started).containsExactly("a", "b");
        cluster.pollsLeft = 1_000;
        assertThat(runner(Integer.MAX_VALUE).run().succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000, -3_600_000})
    void aStepOfTheClockChangesNoWait(long step) throws Exception {
        cluster.lingering.add("a"); // may submit another job: for 30 s
        long began = cluster.now;
        PlanRunner runner = runner(Integer.MAX_VALUE);
        cluster.afterPolls(15, () -> cluster.step = step);
        RunOutcome outcome = runner.run();
        assertThat(cluster.now - began).isEqualTo(50_000);
        assertThat(outcome.phases()).extracting(RunOutcome.PhaseOutcome::actual).containsExactly(40.0, 10.0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000, -3_600_000})
    void whatAKilledRunnerMayHaveSubmittedIsWaitedFor(long step) throws Exception {
        journal().noteLaunch(RunTag.job("Run-1", "a"), new RunJournal.Launched(0, cluster.now, ""));
        long began = cluster.now;
        PlanRunner runner = runner(1);
        cluster.step = step;
        runner.run();
        assertThat(cluster.now - began).isEqualTo(60_000);
        assertThat(events).contains("a FAILED");
    }

    @Test
    void theOutcomeIsReadFromTheJournalWithoutRunningAnything() throws Exception {
        RunOutcome first = runner(Integer.MAX_VALUE).run();
        cluster.forget();
        RunOutcome known = runner(Integer.MAX_VALUE).outcome();
        assertThat(known.jobs()).isEqualTo(first.jobs());
        assertThat(known.phases()).isEqualTo(first.phases());
        assertThat(known.utilisation()).isNaN();
        assertThat(cluster.started).hasSize(3);
    }
}
