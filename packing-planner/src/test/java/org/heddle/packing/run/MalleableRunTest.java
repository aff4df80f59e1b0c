// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two slots: first on both, then on one beside second, which then has both, and third at the end. */
class MalleableRunTest {
    private static final Problem PROBLEM =
            new Problem("p", 2, 1, 1, new Alpha(1.3), List.of(job("first"), job("second"), job("third")));
    private static final Plan PLAN = new Plan(
            "p",
            "malleable",
            PlanKind.MALLEABLE,
            40,
            40,
            "by hand",
            List.of(
                    new Phase(0, 10, List.of(part("first", 2, 0))),
                    new Phase(10, 10, List.of(part("first", 1, 10), part("second", 1, 10))),
                    new Phase(20, 10, List.of(part("second", 2, 20))),
                    new Phase(30, 10, List.of(part("third", 2, 30)))),
            List.of());

    @TempDir
    private Path directory;

    private final FakeCluster cluster = new FakeCluster();
    private final FakeQueues queues = new FakeQueues();
    private final List<String> waits = new ArrayList<>();

    private final Execution.Listener listener = new Execution.Listener() {
        @Override
        public void polled(int phase, int phases, Map<String, JobStatus> running) {}

        @Override
        public void waits(String why) {
            waits.add(why);
        }

        @Override
        public void ended(String job, JobStatus status) {}

        @Override
        public void replanned(Plan next, List<String> leftOut) {}
    };

    private static Job job(String name) {
        return new Job(name, new PowerModel(16, -0.5), true, true, new JobCommand("x.jar", null, List.of(), Map.of()));
    }

    private static Assignment part(String job, int vms, double start) {
        return new Assignment(job, Role.NORMAL, vms, start, 10, 0.5, List.of());
    }

    /** Queues of a scheduler that may be away. */
    private final class FakeQueues implements JobQueues {
        final List<String> changes = new ArrayList<>();
        final Map<String, Integer> present = new LinkedHashMap<>();
        boolean away;

        @Override
        public String path(String name) {
            return "root.batch." + name;
        }

        @Override
        public void set(Map<String, Integer> weights) throws IOException {
            requirePresence();
            present.putAll(weights);
            changes.add((cluster.now - 1_000_000) / 1_000 + " s: " + named(weights));
        }

        @Override
        public void remove(Collection<String> names) throws IOException {
            requirePresence();
            present.keySet().removeAll(names);
        }

        private void requirePresence() throws IOException {
            if (away) {
                throw new IOException("there is no answer");
            }
        }
    }

    private static String named(Map<String, Integer> weights) {
        Map<String, Integer> named = new TreeMap<>();
        PROBLEM.jobs().forEach(job -> named.put(job.name(), weights.get(Borders.queue("Run.1", job.name()))));
        return named.toString();
    }

    @BeforeEach
    void times() {
        cluster.millis.putAll(Map.of("first", 20_000L, "second", 25_000L));
    }

    private RunOutcome run() throws IOException, InterruptedException {
        return new Execution(cluster, directory, "Run.1", "disk", cluster.clocks, cluster::untilNextPoll, listener)
                .run(PROBLEM, PLAN, null, queues);
    }

    @Test
    void weightsChangeAtTheBordersAndTheQueuesGo() throws Exception {
        RunOutcome outcome = run();
        assertThat(outcome.succeeded(PROBLEM)).isTrue();
        assertThat(queues.changes)
                .containsExactly(
                        "0 s: {first=3, second=1, third=1}",
                        "10 s: {first=2, second=2, third=1}",
                        "20 s: {first=2, second=3, third=1}",
                        "25 s: {first=2, second=3, third=3}");
        assertThat(cluster.started).containsExactly("first", "second", "third");
        assertThat(cluster.properties.get("third"))
                .containsEntry("mapreduce.job.queuename", "root.batch." + Borders.queue("Run.1", "third"))
                .containsEntry("mapreduce.job.running.map.limit", "2");
        assertThat(queues.present).isEmpty();
        assertThat(outcome.predicted()).isEqualTo(40);
        assertThat(outcome.actual()).as("third was submitted a phase ahead").isEqualTo(30);
    }

    @Test
    void aRunnerThatIsKilledAnywhereSetsTheWeightsOfItsPhaseAgain() throws Exception {
        for (int kills = 0; kills < 25; kills++) {
            cluster.pollsLeft = 1;
            queues.present.clear(); // a ResourceManager may lose what was changed
            assertThatThrownBy(this::run).isInstanceOf(FakeCluster.Killed.class);
            assertThat(queues.present).hasSize(3);
        }
        cluster.pollsLeft = 1_000;
        assertThat(run().succeeded(PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactly("first", "second", "third");
        assertThat(queues.changes)
                .contains("9 s: {first=3, second=1, third=1}", "10 s: {first=2, second=2, third=1}")
                .doesNotContain("11 s: {first=3, second=1, third=1}");
        assertThat(queues.present).isEmpty();
    }

    @Test
    void weightsStayWhileTheSchedulerIsAway() throws Exception {
        cluster.afterPolls(5, () -> queues.away = true);
        cluster.afterPolls(15, () -> queues.away = false);
        assertThat(run().succeeded(PROBLEM)).isTrue();
        assertThat(waits).contains("there is no answer");
        assertThat(queues.changes).contains("15 s: {first=2, second=2, third=1}");
    }

    @Test
    void aJobThatIsLateKeepsItsWeightAndNoVmIsIdleBehindIt() throws Exception {
        cluster.millis.put("first", 45_000L);
        run();
        assertThat(cluster.started).containsExactly("first", "second", "third");
        assertThat(cluster.now - 1_000_000)
                .as("third began at 20 s, a phase's time after the border")
                .isEqualTo(45_000);
        assertThat(queues.changes).last().asString().contains("first=2");
    }

    @Test
    void nothingIsStartedWithoutQueues() {
        queues.away = true;
        assertThatThrownBy(this::run).isInstanceOf(IOException.class).hasMessage("there is no answer");
        assertThat(cluster.started).isEmpty();
    }

    @Test
    void whatAnAbandonedRunLeftIsRemovedWhenItsJobsHaveEnded() throws Exception {
        cluster.pollsLeft = 3;
        assertThatThrownBy(this::run).isInstanceOf(FakeCluster.Killed.class);
        Execution later =
                new Execution(cluster, directory, "Run.1", "disk", cluster.clocks, cluster::untilNextPoll, listener);
        assertThatThrownBy(() -> later.clean(PROBLEM, queues))
                .hasMessageContaining("still running: application_1, application_2")
                .hasMessageContaining("yarn application -kill");
        cluster.now += 100_000;
        later.clean(PROBLEM, queues);
        assertThat(queues.present).isEmpty();
    }
}
