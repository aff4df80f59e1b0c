// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.packing.check.AtOnce;
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
import org.heddle.packing.model.Vm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two machines with a disk each: long on the first one beside first and second on the other, then both on the two. */
class NonPhasedRunTest {
    private static final Problem PROBLEM =
            new Problem("p", 2, 1, 1, new Alpha(1.3), List.of(job("long"), job("first"), job("second"), job("both")));
    private static final Plan PLAN = plan(
            assignment("both", Role.NORMAL, 9, 3, new Vm(0, 0), new Vm(1, 0)),
            assignment("second", Role.NORMAL, 4, 4, new Vm(1, 0)),
            assignment("first", Role.NORMAL, 0, 4, new Vm(1, 0)),
            assignment("long", Role.NORMAL, 0, 9, new Vm(0, 0)));

    @TempDir
    private Path directory;

    private final FakeCluster cluster = new FakeCluster();
    private final List<String> polls = new ArrayList<>();

    private static Job job(String name) {
        return new Job(name, new PowerModel(16, -0.5), true, true, new JobCommand("x.jar", null, List.of(), Map.of()));
    }

    private static Assignment assignment(String job, Role role, double start, double seconds, Vm... vms) {
        return new Assignment(job, role, vms.length, start, seconds, 1, List.of(vms));
    }

    private static Plan plan(Assignment... jobs) {
        Phase phase = new Phase(0, 12, List.of(jobs));
        return new Plan("p", "nonphased", PlanKind.NONPHASED, 12, 12, "by hand", List.of(phase), List.of());
    }

    @BeforeEach
    void times() {
        cluster.millis.putAll(Map.of("first", 3_000L, "second", 4_000L));
    }

    private RunOutcome run(Plan plan) throws IOException, InterruptedException {
        Execution.Listener listener = new Execution.Listener() {
            @Override
            public void polled(int phase, int phases, Map<String, JobStatus> running) {
                polls.add(String.join(" ", new TreeSet<>(running.keySet())));
            }

            @Override
            public void waits(String why) {
                throw new AssertionError(why);
            }

            @Override
            public void ended(String job, JobStatus status) {}

            @Override
            public void replanned(Plan next, List<String> leftOut) {}
        };
        return new Execution(cluster, directory, "Run-1", "disk", cluster.clocks, cluster::untilNextPoll, listener)
                .run(PROBLEM, plan, null);
    }

    @Test
    void aJobStartsWhenTheJobsBeforeItHaveLeftItsVms() throws Exception {
        RunOutcome outcome = run(PLAN);
        assertThat(cluster.started).containsExactly("first", "long", "second", "both");
        assertThat(polls).contains("first long", "long second", "long", "both").doesNotContain("both long");
        assertThat(outcome.succeeded(PROBLEM)).isTrue();
        assertThat(outcome.predicted()).isCloseTo(12, within(1e-9));
        assertThat(outcome.actual()).as("long and both").isCloseTo(20, within(1e-9));
        assertThat(outcome.phases()).hasSize(1);
    }

    @Test
    void allAtOnceWaitsForNoVms() throws Exception {
        RunOutcome outcome = run(AtOnce.plan(PROBLEM));
        assertThat(polls.get(0)).isEqualTo("both first long second");
        assertThat(cluster.started).hasSize(4);
        assertThat(cluster.properties.get("long"))
                .containsEntry("mapreduce.job.running.map.limit", "2")
                .containsEntry("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
        assertThat(outcome.succeeded(PROBLEM)).isTrue();
    }

    @Test
    void noJobStartsAfterAFailureAndTheNextRunContinues() throws Exception {
        cluster.failing.add("first");
        assertThat(run(PLAN).succeeded(PROBLEM)).isFalse();
        assertThat(cluster.started).containsExactly("first", "long");
        assertThat(polls).as("what runs is awaited").contains("long");
        cluster.failing.clear();
        assertThat(run(PLAN).succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("first", "long", "first", "second", "both");
    }

    @Test
    void aRunThatIsKilledAnywhereContinues() throws Exception {
        for (int kills = 0; kills < 15; kills++) {
            cluster.pollsLeft = 1;
            assertThatThrownBy(() -> run(PLAN)).isInstanceOf(FakeCluster.Killed.class);
        }
        cluster.pollsLeft = 1_000;
        assertThat(run(PLAN).succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("first", "long", "second", "both");
    }

    @Test
    void aNormalVmWaitsForTheExtraOnItsMachineAndAnExtraDoesNotWaitForHosts() throws Exception {
        cluster.millis.put("long", 5_000L);
        run(plan(
                assignment("long", Role.EXTRA, 0, 4, new Vm(0, 0)),
                assignment("first", Role.HOST, 0, 3, new Vm(0, 0)),
                assignment("second", Role.HOST, 3, 4, new Vm(0, 0)),
                assignment("both", Role.NORMAL, 7, 3, new Vm(0, 0), new Vm(1, 0))));
        assertThat(polls).contains("first long", "long second", "second", "both");
        assertThat(cluster.started).containsExactly("long", "first", "second", "both");
    }
}
