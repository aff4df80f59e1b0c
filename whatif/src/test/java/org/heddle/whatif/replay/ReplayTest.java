// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.StagedWork;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Figures;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.report.Comparison;
import org.heddle.whatif.report.TextReport;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real schedulers on the virtual clock. Also runs on Hadoop's older line. */
class ReplayTest {
    private static final String QUEUES = """
            <allocations>
              <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
              <queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>
              <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>
              <defaultFairSharePreemptionThreshold>0.8</defaultFairSharePreemptionThreshold>
              <queue name="root">
                <queue name="etl"><weight>2</weight></queue>
                <queue name="adhoc"/>
                <queue name="science"/>
              </queue>
              <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
            </allocations>
            """;

    private static final Size NODE = new Size(8_192, 8);
    private static final List<Size> NODES = Collections.nCopies(10, NODE);

    @TempDir
    private Path directory;

    @BeforeAll
    static void silence() {
        LogManager.getRootLogger().setLevel(Level.OFF);
    }

    private Outcome replay(SchedulerKind kind, History history, Configuration site) throws IOException {
        return replay(kind, history, site, QUEUES);
    }

    private Outcome replay(SchedulerKind kind, History history, Configuration site, String queues) throws IOException {
        Path file = Files.writeString(directory.resolve("fair-scheduler.xml"), queues);
        ReplayConfiguration.Prepared prepared =
                new ReplayConfiguration(new QueueFiles(List.of(file)), site, NODES, directory).of(kind);
        try (Replay replay = new Replay(history, kind.word(), prepared.conf(), NODES, 1_000, false, sentence -> {})) {
            return replay.run(prepared.remarks());
        }
    }

    /** That no more is allocated than there is, and all comes back, is checked by the replay itself. */
    @ParameterizedTest
    @EnumSource(SchedulerKind.class)
    void everyTaskRunsOnceAndTheSameInputGivesTheSameReport(SchedulerKind kind) throws IOException {
        History history = Histories.random(7, 40);
        Outcome outcome = replay(kind, history, new Configuration(false));
        assertThat(outcome.refused()).isEmpty();
        assertThat(outcome.unfinished()).isEmpty();
        assertThat(outcome.all().jobs()).isEqualTo(40);
        assertThat(outcome.all().tasks()).isEqualTo(history.tasks());
        assertThat(outcome.queues().keySet()).containsExactly("root.adhoc", "root.etl", "root.science");
        assertThat(outcome.queues().values().stream()
                        .mapToLong(figures -> figures.tasks())
                        .sum())
                .isEqualTo(history.tasks());
        assertThat(outcome.users().values().stream()
                        .mapToLong(figures -> figures.tasks())
                        .sum())
                .isEqualTo(history.tasks());
        assertThat(Arrays.stream(outcome.utilisation()).max().orElseThrow()).isBetween(0.1, 1.0);
        double work = history.jobs().stream()
                .flatMap(job -> job.groups().stream())
                .mapToDouble(group -> (double) group.size().memoryMb()
                        * Arrays.stream(group.millis()).sum())
                .sum();
        double used = outcome.memoryUsed() * outcome.makespanMillis() * NODE.memoryMb() * NODES.size();
        assertThat(used).isGreaterThanOrEqualTo(work);
        assertThat(report(history, replay(kind, history, new Configuration(false))))
                .isEqualTo(report(history, outcome));
    }

    private static Figures queue(Outcome outcome, String name) {
        return Objects.requireNonNull(outcome.queues().get(name), name);
    }

    private static String report(History history, Outcome outcome) {
        return TextReport.text(new Comparison("test", history, NODES, List.of(outcome)));
    }

    /** A queue that holds everything for ten minutes, and one that comes later. */
    @ParameterizedTest
    @EnumSource(SchedulerKind.class)
    void preemptionHappensOnTheVirtualClock(SchedulerKind kind) throws IOException {
        Size size = new Size(1_024, 1);
        History history = new History(
                List.of(
                        Histories.maps("first", "root.etl", 0, 200, size, 600_000),
                        Histories.maps("second", "root.adhoc", 60_000, 20, size, 30_000)),
                List.of());
        Outcome outcome = replay(kind, history, preemption());
        assertThat(outcome.all().preempted()).isBetween(1L, 60L);
        assertThat(outcome.all().tasks()).isEqualTo(220);
        assertThat(queue(outcome, "root.etl").preempted())
                .isEqualTo(outcome.all().preempted());
        // Without preemption it would wait for the ten minutes of the first.
        assertThat(queue(outcome, "root.adhoc").jobTime().p99Millis()).isLessThan(500_000);
    }

    /** Jobs that run in their masters hold everything, so CapacityScheduler has to preempt masters. */
    @Test
    void aJobWhoseMasterIsPreemptedBeginsAgain() throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            jobs.add(Histories.master("small-" + i, "root.etl", 600_000));
        }
        jobs.add(Histories.maps("second", "root.adhoc", 60_000, 10, new Size(1_024, 1), 30_000));
        Outcome outcome = replay(SchedulerKind.CAPACITY, new History(jobs, List.of()), preemption());
        assertThat(outcome.unfinished()).isEmpty();
        assertThat(outcome.all().jobs()).isEqualTo(81);
        assertThat(outcome.all().masterWait().count())
                .as("masters that got a container")
                .isGreaterThan(81);
        assertThat(queue(outcome, "root.adhoc").jobTime().p99Millis()).isLessThan(500_000);
    }

    /** 40 executors of two cores: 800 short tasks, then one long one; then 20,000 tasks of a quarter of a second. */
    private static Job executors(long idleMillis) {
        long[] small = new long[20_000];
        Arrays.fill(small, 250);
        long[] tasks = new long[800];
        Arrays.fill(tasks, 20_000);
        StagedWork work = new StagedWork(
                2,
                5_000,
                idleMillis,
                List.of(
                        new StagedWork.Stage(tasks, List.of()),
                        new StagedWork.Stage(new long[] {120_000}, List.of(0)),
                        new StagedWork.Stage(small, List.of(1))));
        return new Job(
                "spark",
                "user-of-spark",
                "root.etl",
                Histories.BEGIN,
                0,
                new Size(1_024, 1),
                0,
                0,
                true,
                List.of(new TaskGroup(TaskKind.EXECUTOR, new Size(2_048, 2), new long[39])),
                work,
                0);
    }

    /** FairScheduler has no priorities of applications. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FAIR")
    void prioritiesOrderTheJobsOfAQueueIfTheClusterAllowsThem(SchedulerKind kind) throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(Histories.maps("job-" + (char) ('a' + i), "root.etl", i, 80, new Size(1_024, 1), 30_000)
                    .withPriority(i == 19 ? 5 : 0));
        }
        History history = new History(jobs, List.of());
        String fifo = QUEUES.replace("<weight>2</weight>", "<schedulingPolicy>fifo</schedulingPolicy>");
        Configuration site = new Configuration(false);
        long without = lastJob(replay(kind, history, site, fifo));
        site.set("yarn.cluster.max-application-priority", "10");
        assertThat(lastJob(replay(kind, history, site, fifo))).isLessThan(without / 2);
    }

    /** FairScheduler's rule for the queue that a job names passes over this name. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CAPACITY")
    void jobsOfQueueDefaultRunWithAConvertedFile(SchedulerKind kind) throws IOException {
        String queues = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/><queue"
                + " name=\"etl\"/></queue></heddle-scheduler>";
        History history = new History(
                List.of(
                        Histories.maps("unnamed", "default", 0, 3, new Size(1_024, 1), 5_000),
                        Histories.maps("named", "root.etl", 0, 3, new Size(1_024, 1), 5_000)),
                List.of());
        Outcome outcome = replay(kind, history, new Configuration(false), queues);
        assertThat(outcome.refused()).isEmpty();
        assertThat(outcome.queues().keySet()).containsExactly("root.default", "root.etl");
    }

    private static long lastJob(Outcome outcome) {
        return Objects.requireNonNull(outcome.jobMillis().get("job-t"));
    }

    /** With heartbeats of a second, tasks of a quarter of one follow each other without gaps. */
    @Tag("newer-line")
    @ParameterizedTest
    @EnumSource(SchedulerKind.class)
    void executorsTakeTaskAfterTaskOfTheStages(SchedulerKind kind) throws IOException {
        for (long idleMillis : new long[] {Long.MAX_VALUE, 60_000}) {
            History history = new History(List.of(executors(idleMillis)), List.of());
            Outcome outcome = replay(kind, history, new Configuration(false));
            assertThat(outcome.unfinished()).isEmpty();
            assertThat(outcome.all().tasks()).isEqualTo(20_801);
            long calculated = 5_000 + 11 * 20_000 + 120_000 + 250L * ((20_000 + 77) / 78);
            assertThat(outcome.all().jobTime().p99Millis())
                    .as("given back after %d ms", idleMillis)
                    .isBetween(calculated, calculated + 15_000);
            assertThat(outcome.memoryUsed())
                    .isBetween(idleMillis == 60_000 ? 0.5 : 0.9, idleMillis == 60_000 ? 0.9 : 1.0);
        }
    }

    @Tag("newer-line")
    @ParameterizedTest
    @EnumSource(SchedulerKind.class)
    void tasksOfExecutorsThatArePreemptedRunAgain(SchedulerKind kind) throws IOException {
        History history = new History(
                List.of(
                        executors(Long.MAX_VALUE),
                        Histories.maps("second", "root.adhoc", 60_000, 20, new Size(1_024, 1), 30_000)),
                List.of());
        Outcome outcome = replay(kind, history, preemption());
        assertThat(outcome.unfinished()).isEmpty();
        assertThat(outcome.all().preempted()).isPositive();
        assertThat(outcome.all().tasks()).isEqualTo(20_821);
    }

    private static Configuration preemption() {
        Configuration site = new Configuration(false);
        site.set("yarn.scheduler.fair.preemption", "true");
        site.set("yarn.scheduler.fair.preemption.cluster-utilization-threshold", "0.5");
        return site;
    }

    @Tag("newer-line")
    @Test
    void aRefusedJobIsNamedWithItsReason() throws IOException {
        Size size = new Size(1_024, 1);
        History history = new History(
                List.of(
                        Histories.maps("known", "root.etl", 0, 1, size, 1_000),
                        Histories.maps("unknown", "root.nowhere", 0, 1, size, 1_000)),
                List.of());
        Outcome outcome = replay(SchedulerKind.FAIR, history, new Configuration(false));
        assertThat(outcome.all().jobs()).isEqualTo(1);
        assertThat(outcome.refused()).hasSize(1);
        assertThat(outcome.refused().firstKey()).startsWith("root.nowhere: ");
    }
}
