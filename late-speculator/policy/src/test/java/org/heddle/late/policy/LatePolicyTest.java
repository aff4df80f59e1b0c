// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatePolicyTest {
    private static final long REPORT = 6_000;

    /** Twenty maps of 60 s finished on ten nodes; the test adds what it is about. */
    private static final class Job {
        final AttemptRegistry registry = new AttemptRegistry();
        Settings settings = Settings.heddle();

        Job() {
            registry.total(TaskKind.MAP, 40);
            for (int i = 0; i < 20; i++) {
                registry.started(TaskKind.MAP, "done" + i, "d" + i, "n" + i % 10, 0);
                registry.ended("d" + i, 60_000, true);
            }
        }

        /** Runs an attempt from 60 s on at a steady pace until {@code until}, reporting every 6 s. */
        Job run(String task, String node, long totalMillis, long until) {
            return run(task, task + "_0", node, 60_000, totalMillis, until);
        }

        Job run(String task, String attempt, String node, long from, long totalMillis, long until) {
            registry.started(TaskKind.MAP, task, attempt, node, from);
            for (long at = from + REPORT; at <= until; at += REPORT) {
                registry.reported(attempt, Math.min(0.99, (double) (at - from) / totalMillis), at);
            }
            return this;
        }

        /** Runs an attempt whose score is the square of the part of its time that has passed. */
        String square(String task, String node, long from, long totalMillis, long until) {
            String attempt = task + "_0";
            registry.started(TaskKind.MAP, task, attempt, node, from);
            for (long at = from + REPORT; at <= until; at += REPORT) {
                registry.reported(attempt, Math.pow((double) (at - from) / totalMillis, 2), at);
            }
            return attempt;
        }

        Map<String, Reason> scan(long now) {
            return new LatePolicy(registry, settings)
                    .scan(now).stream()
                            .collect(Collectors.toMap(Decision::task, Decision::reason, (a, b) -> a, TreeMap::new));
        }
    }

    @Test
    void aTaskOnASlowNodeIsCopiedAndANormalOneIsNot() {
        Job job = new Job().run("slow", "bad", 300_000, 114_000).run("normal", "n1", 60_000, 114_000);
        assertThat(job.scan(114_000))
                .containsEntry("slow", Reason.LONGEST_TIME_TO_END)
                .containsEntry("normal", Reason.NO_BENEFIT);
    }

    @Test
    void severalBackupsArePickedInOnePassUpToTheCap() {
        Job job = new Job();
        for (int i = 0; i < 12; i++) {
            job.run("slow" + i, "bad" + i, 300_000 + i, 114_000);
        }
        job.settings = Settings.heddle().with(s -> {
            s.capMinimum = 5;
            s.capSlots = 0;
        });
        assertThat(job.scan(114_000).values())
                .filteredOn(r -> r == Reason.LONGEST_TIME_TO_END)
                .hasSize(5);
        assertThat(job.scan(114_000).values())
                .filteredOn(r -> r == Reason.CAP_REACHED)
                .hasSize(7);
    }

    @Test
    void nothingIsCopiedWhileOriginalsWait() {
        Job job = new Job().run("slow", "bad", 300_000, 114_000);
        job.registry.waiting(TaskKind.MAP, 3);
        assertThat(job.scan(114_000)).isEqualTo(Map.of("MAP", Reason.ORIGINALS_WAITING));
    }

    /** The last map on a slow node; reduces hold all other slots. */
    private static Job waitingReduces() {
        return waitingReduces(new Job().run("last", "bad", 300_000, 114_000));
    }

    /**
     * With reduces that hold both slots of each node on which maps have ended, the youngest one the first slot of n9.
     */
    private static Job waitingReduces(Job job) {
        job.registry.total(TaskKind.REDUCE, 20);
        for (int i = 0; i < 20; i++) {
            job.registry.started(TaskKind.REDUCE, "r" + i, "r" + i + "_0", "n" + i % 10, 70_000 + i % 10);
        }
        return job;
    }

    @Test
    void aMapGetsABackupAlthoughReducesHoldAllSlots() {
        Job job = waitingReduces();
        assertThat(job.scan(114_000)).containsEntry("last", Reason.LONGEST_TIME_TO_END);
        job.settings = Settings.heddle().with(s -> s.makeRoom = false);
        assertThat(job.scan(114_000)).containsEntry("last", Reason.NO_ROOM);
    }

    @Test
    void aBackupWithoutASlotGetsSlotsOfWaitingReduces() {
        Job job = waitingReduces().run("second", "bad2", 300_000, 114_000);
        LatePolicy policy = new LatePolicy(job.registry, job.settings);
        job.registry.requested(TaskKind.MAP, "last", 114_000);
        assertThat(policy.makeRoom(116_000)).as("it may still be placed").isEmpty();

        Decision first = policy.makeRoom(117_000).orElseThrow();
        assertThat(first.reason()).isEqualTo(Reason.MAKES_ROOM);
        assertThat(first.attempt()).as("the youngest").isEqualTo("r19_0");
        job.registry.madeRoom("r19_0", 117_000);
        assertThat(policy.makeRoom(119_000)).isEmpty();
        job.registry.madeRoom("r18_0", 120_000);
        job.registry.madeRoom("r17_0", 123_000);
        assertThat(policy.makeRoom(150_000)).as("others take the slots").isEmpty();

        job.registry.started(TaskKind.MAP, "last", "last_1", "n9", 151_000);
        job.registry.requested(TaskKind.MAP, "second", 152_000);
        assertThat(policy.makeRoom(156_000)).as("a slot has helped").isPresent();
    }

    @Test
    void noRoomIsMadeWhereItDoesNotHelp() {
        Job waiting = waitingReduces();
        waiting.registry.requested(TaskKind.MAP, "last", 114_000);
        waiting.registry.waiting(TaskKind.MAP, 2);
        assertThat(new LatePolicy(waiting.registry, waiting.settings).makeRoom(117_000))
                .as("an original map waits, for which the ApplicationMaster makes room itself")
                .isEmpty();

        Job apart = new Job().run("last", "bad", 300_000, 114_000);
        for (int i = 0; i < 10; i++) {
            apart.registry.started(TaskKind.REDUCE, "r" + i, "r" + i + "_0", "reduces" + i, 70_000);
        }
        apart.registry.requested(TaskKind.MAP, "last", 114_000);
        assertThat(new LatePolicy(apart.registry, apart.settings).makeRoom(117_000))
                .as("no map has run where the reduces are")
                .isEmpty();
    }

    @Test
    void noRoomIsMadeForAMapThatMayEndSoon() {
        Job starting = new Job();
        starting.registry.started(TaskKind.MAP, "last", "last_0", "slow", 60_000);
        waitingReduces(starting);
        assertThat(starting.scan(240_000)).as("its JVM may be starting").containsEntry("last", Reason.NO_ROOM);
        assertThat(starting.scan(360_000))
                .as("five times as long as all others")
                .containsEntry("last", Reason.LONGEST_TIME_TO_END);

        Job nearItsEnd = waitingReduces(new Job().run("last", "bad", 190_000, 150_000));
        assertThat(nearItsEnd.scan(150_000)).containsEntry("last", Reason.NO_ROOM);
        Job farther = waitingReduces(new Job().run("last", "bad", 200_000, 150_000));
        assertThat(farther.scan(150_000)).containsEntry("last", Reason.LONGEST_TIME_TO_END);
        for (int i = 0; i < 4; i++) {
            farther.run("other" + i, "maps" + i, 200_000 + i, 150_000);
        }
        assertThat(farther.scan(150_000)).as("one of five maps").containsEntry("last", Reason.NO_ROOM);
    }

    @Test
    void aStalledAttemptGetsABackupWithin40Seconds() {
        Job job = new Job().run("stalled", "n3", 60_000, 90_000);
        assertThat(job.scan(96_000)).containsEntry("stalled", Reason.NO_BENEFIT);
        long noticed = LongStream.iterate(96_000, at -> at < 130_000, at -> at + 1_000)
                .filter(at -> job.scan(at).get("stalled") == Reason.LONGEST_TIME_TO_END)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        assertThat(noticed - 90_000).as("milliseconds until a copy").isLessThan(40_000);
        job.settings = Settings.paper();
        assertThat(job.scan(noticed)).containsEntry("stalled", Reason.TOO_YOUNG);
    }

    @Test
    void anAttemptWithoutReportsGetsABackupWhenItIsLate() {
        Job job = new Job();
        job.registry.started(TaskKind.MAP, "mute", "m0", "bad", 60_000);
        assertThat(job.scan(100_000)).containsEntry("mute", Reason.NO_REPORT);
        assertThat(job.scan(160_000)).containsEntry("mute", Reason.LONGEST_TIME_TO_END);
    }

    /** The longer it shows no progress, the more reason there is: its time does not pass as if it were working. */
    @Test
    void anAttemptWithoutReportsOnASlowNodeIsNotNearlyDone() {
        Job job = new Job();
        for (String task : List.of("b1", "b2")) {
            job.registry.started(TaskKind.MAP, task, task + "_0", "bad", 0);
            job.registry.ended(task + "_0", 180_000, true);
        }
        job.registry.started(TaskKind.MAP, "mute", "m0", "bad", 200_000);
        for (int second = 95; second < 300; second++) {
            assertThat(job.scan(200_000 + 1_000 * second))
                    .as("after %d s", second)
                    .containsEntry("mute", Reason.LONGEST_TIME_TO_END);
        }
    }

    @Test
    void aThirdAttemptFollowsWhenOriginalAndBackupBothStall() {
        Job job = new Job().run("t", "bad", 300_000, 114_000);
        job.settings = Settings.heddle().with(s -> s.maxAttempts = 3);
        job.registry.requested(TaskKind.MAP, "t", 114_000);
        assertThat(job.scan(115_000)).containsEntry("t", Reason.ALREADY_BACKED_UP);
        job.run("t", "t_1", "n2", 116_000, 60_000, 140_000);
        assertThat(job.scan(141_000)).containsEntry("t", Reason.ALREADY_BACKED_UP);
        assertThat(job.scan(260_000)).containsEntry("t", Reason.BACKUP_STALLED_TOO);
        job.registry.requested(TaskKind.MAP, "t", 114_000);
        assertThat(job.scan(260_000)).containsEntry("t", Reason.ATTEMPT_LIMIT);
    }

    @Test
    void aBackupWithASlowJvmStartIsNotStalled() {
        Job job = new Job().run("t", "bad", 300_000, 114_000);
        job.registry.started(TaskKind.MAP, "t", "t_1", "n2", 116_000);
        for (int second = 0; second < 20; second++) {
            assertThat(job.scan(116_000 + 1_000 * second)).containsEntry("t", Reason.ALREADY_BACKED_UP);
        }
        // 20 s of start, 40 s of work: a tenth after four seconds of it, a quarter after ten.
        job.registry.reported("t_1", 0.1, 140_000);
        assertThat(job.scan(140_000)).containsEntry("t", Reason.ALREADY_BACKED_UP);
        job.registry.reported("t_1", 0.25, 146_000);
        assertThat(job.scan(146_000)).containsEntry("t", Reason.ALREADY_BACKED_UP);
    }

    @Test
    void anOriginalWithASlowJvmStartIsNotSlow() {
        Job job = new Job();
        job.registry.started(TaskKind.MAP, "t", "t_0", "n2", 60_000);
        job.registry.reported("t_0", 0.1, 84_000);
        job.registry.reported("t_0", 0.25, 90_000);
        assertThat(job.scan(90_000)).containsEntry("t", Reason.NO_BENEFIT);
    }

    @Test
    void aLargeTaskIsNotCopiedWhenItsSizeExplainsItsTime() {
        Job job = new Job();
        for (int i = 0; i < 20; i++) {
            job.registry.size(TaskKind.MAP, "done" + i, 128);
        }
        job.registry.size(TaskKind.MAP, "large", 512);
        job.run("large", "n1", 240_000, 114_000);
        assertThat(job.scan(114_000)).containsEntry("large", Reason.NO_BENEFIT);
    }

    /** Most inputs are empty, so that the median of the sizes says nothing. */
    @Test
    void fullInputsAmongEmptyOnesAreNotSlow() {
        Job job = new Job();
        for (int i = 0; i < 20; i++) {
            job.registry.size(TaskKind.MAP, "done" + i, 0);
        }
        for (int i = 0; i < 8; i++) {
            job.registry.size(TaskKind.MAP, "full" + i, 128);
            job.run("full" + i, "n" + i, 300_000, 114_000);
        }
        assertThat(job.scan(114_000)).containsEntry("full1", Reason.NO_BENEFIT);
    }

    /** The slow node has read the largest input: without it, times do not depend on sizes. */
    @Test
    void aSlowNodeDoesNotShowHowTimesGrowWithSizes() {
        Job job = new Job();
        for (int i = 0; i < 20; i++) {
            job.registry.size(TaskKind.MAP, "done" + i, 64 + 8 * (i % 16));
        }
        job.registry.size(TaskKind.MAP, "slow", 1_024);
        job.run("slow", "bad", 300_000, 114_000);
        assertThat(job.scan(114_000)).containsEntry("slow", Reason.LONGEST_TIME_TO_END);
    }

    /** The score grows with the square of the time in all maps: at first, each seems to take several minutes. */
    @Test
    void anAttemptThatBeginsAsSlowlyAsOthersIsNotSlow() {
        Job job = new Job();
        for (int i = 0; i < 30; i++) {
            String attempt = job.square("square" + i, "n" + i % 10, 60_000, 60_000, 114_000);
            job.registry.ended(attempt, 120_000, true);
        }
        job.square("normal", "n1", 120_000, 60_000, 144_000);
        job.square("slow", "bad", 120_000, 300_000, 144_000);
        assertThat(job.scan(144_000))
                .containsEntry("normal", Reason.NO_BENEFIT)
                .containsEntry("slow", Reason.LONGEST_TIME_TO_END);
    }

    /** Nine tenths in 30 s, the rest at a sixtieth of that pace; three reports show it. */
    @Test
    void threeReportsShowThatThePaceBreaksDown() {
        Job job = new Job().run("late", "n1", 33_333, 90_000);
        for (int i = 1; i <= 3; i++) {
            job.registry.reported("late_0", 0.9 + 0.003 * i, 90_000 + REPORT * i);
            assertThat(job.scan(90_000 + REPORT * i))
                    .containsEntry("late", i < 3 ? Reason.NO_BENEFIT : Reason.LONGEST_TIME_TO_END);
        }
    }

    /** Three maps that are slow at a steady pace, on nodes where three others had normal times. */
    private static Job steadyTasksOfUnknownSize() {
        Job job = new Job();
        for (int i = 1; i <= 3; i++) {
            job.registry.started(TaskKind.MAP, "extra" + i, "e" + i, "n" + i, 0);
            job.registry.ended("e" + i, 60_000, true);
            job.run("skewed" + i, "n" + i, 300_000, 114_000);
        }
        return job;
    }

    @Test
    void oneSteadyTaskOfUnknownSizeIsTried() {
        Job job = steadyTasksOfUnknownSize();
        assertThat(job.scan(114_000))
                .containsEntry("skewed1", Reason.LONGEST_TIME_TO_END)
                .containsEntry("skewed2", Reason.TASK_BOUND)
                .containsEntry("skewed3", Reason.TASK_BOUND);
    }

    @ParameterizedTest
    @CsvSource({"300000, TASK_BOUND", "60000, LONGEST_TIME_TO_END"})
    void theFirstBackupShowsWhetherTasksAreLarge(long backupMillis, Reason others) {
        Job job = steadyTasksOfUnknownSize();
        LatePolicy policy = new LatePolicy(job.registry, job.settings);
        job.run("skewed1", "skewed1_1", "n4", 114_000, backupMillis, 138_000);
        for (int i = 1; i <= 3; i++) {
            for (long at = 120_000; at <= 138_000; at += REPORT) {
                job.registry.reported("skewed" + i + "_0", (at - 60_000) / 300_000.0, at);
            }
        }
        Map<String, Reason> reasons =
                policy.scan(138_000).stream().collect(Collectors.toMap(Decision::task, Decision::reason));
        assertThat(reasons).containsEntry("skewed2", others).containsEntry("skewed3", others);
    }

    /** A third attempt would be as slow, too. */
    @Test
    void aTaskWhoseBackupIsAsSlowOnAHealthyNodeGetsNoThirdAttempt() {
        Job job = new Job().run("large", "bad", 400_000, 150_000);
        job.run("large", "large_1", "n4", 114_000, 400_000, 150_000);
        assertThat(job.scan(150_000)).containsEntry("large", Reason.TASK_BOUND);
    }

    /** Reports come once a minute, and others have taken ten seconds. */
    @Test
    void aTaskThatShouldHaveEndedBeforeItsFirstReportIsLate() {
        Job job = new Job();
        job.settings = Settings.heddle().with(s -> s.reportMillis = 60_000);
        for (int i = 0; i < 30; i++) {
            job.registry.started(TaskKind.MAP, "short" + i, "s" + i, "n" + i % 10, 60_000);
            job.registry.ended("s" + i, 70_000, true);
        }
        job.registry.started(TaskKind.MAP, "slow", "slow_0", "bad", 60_000);
        assertThat(job.scan(70_000)).containsEntry("slow", Reason.TOO_YOUNG);
        assertThat(job.scan(80_000)).containsEntry("slow", Reason.LONGEST_TIME_TO_END);
    }

    @Test
    void aReduceThatOnlyWaitsForMapsGetsNoBackup() {
        Job job = new Job();
        job.registry.total(TaskKind.REDUCE, 12);
        for (int i = 0; i < 10; i++) {
            job.registry.started(TaskKind.REDUCE, "r" + i, "ra" + i, "n" + i, 10_000);
            job.registry.reported("ra" + i, 0.16, 60_000);
        }
        Set<Reason> reasons = new LatePolicy(job.registry, job.settings)
                .scan(TaskKind.REDUCE, 300_000).stream().map(Decision::reason).collect(Collectors.toSet());
        assertThat(reasons).isSubsetOf(Reason.NO_BASELINE, Reason.WAITS_FOR_MAPS);
    }

    @Test
    void aBackupOnTheOriginalsNodeOrOnASlowNodeIsMoved() {
        Job job = new Job().run("t", "bad", 300_000, 114_000).run("other", "worse", 600_000, 114_000);
        LatePolicy policy = new LatePolicy(job.registry, job.settings.with(s -> s.maxAttempts = 2));
        AttemptRecord same = job.registry.started(TaskKind.MAP, "t", "t_1", "bad", 115_000);
        assertThat(policy.placed(same, 115_000).reason()).isEqualTo(Reason.SAME_NODE);
        job.registry.moved("t_1", 115_000);
        AttemptRecord slow = job.registry.started(TaskKind.MAP, "t", "t_2", "worse", 116_000);
        assertThat(policy.placed(slow, 116_000).reason()).isEqualTo(Reason.SLOW_NODE);
        job.registry.moved("t_2", 116_000);
        AttemptRecord again = job.registry.started(TaskKind.MAP, "t", "t_3", "worse", 117_000);
        assertThat(policy.placed(again, 117_000).reason()).isEqualTo(Reason.MOVED_ENOUGH);
        job.registry.ended("t_3", 117_000, false);
        AttemptRecord good = job.registry.started(TaskKind.MAP, "t", "t_4", "n4", 118_000);
        assertThat(policy.placed(good, 118_000).reason()).isEqualTo(Reason.PLACED_WELL);
    }

    @Test
    void aBadlyPlacedBackupKeepsItsSlotIfAnotherMayFollow() {
        Job job = new Job().run("t", "bad", 300_000, 114_000).run("other", "worse", 600_000, 114_000);
        LatePolicy policy = new LatePolicy(job.registry, job.settings);
        AttemptRecord slow = job.registry.started(TaskKind.MAP, "t", "t_1", "worse", 115_000);
        assertThat(policy.placed(slow, 115_000).reason()).isEqualTo(Reason.HOLDS_ITS_PLACE);
        assertThat(job.scan(115_000)).containsEntry("t", Reason.BACKUP_STALLED_TOO);
    }

    @Test
    void noBackupIsRequestedWhileOnlySlowNodesHaveRoom() {
        Job job = new Job().run("slow", "bad", 300_000, 114_000).run("slower", "worse", 330_000, 114_000);
        for (int i = 0; i < 10; i++) {
            job.run("a" + i, "n" + i, 60_000, 114_000).run("b" + i, "n" + i, 60_000, 114_000);
        }
        job.registry.started(TaskKind.MAP, "crawl", "c0", "bad", 60_000);
        job.registry.ended("c0", 112_000, false);
        assertThat(job.scan(114_000)).containsEntry("slower", Reason.NO_BENEFIT);
        job.registry.ended("a3_0", 115_000, true);
        assertThat(job.scan(115_000)).containsEntry("slower", Reason.LONGEST_TIME_TO_END);
    }

    @Test
    void oneBackupLooksForASlotAfterAWhile() {
        Job job = new Job().run("slow", "bad", 300_000, 114_000);
        for (int i = 0; i < 10; i++) {
            job.run("a" + i, "n" + i, 60_000, 114_000).run("b" + i, "n" + i, 60_000, 114_000);
        }
        LatePolicy policy = new LatePolicy(job.registry, job.settings);
        assertThat(policy.scan(TaskKind.MAP, 114_000)).noneMatch(v -> v.action() == Decision.Action.LAUNCH);
        assertThat(policy.scan(TaskKind.MAP, 131_000))
                .filteredOn(v -> v.action() == Decision.Action.LAUNCH)
                .hasSize(1);
    }

    @Test
    void twoScansOfTheSameStateAreEqual() {
        Job job = new Job();
        for (int i = 0; i < 30; i++) {
            job.run("slow" + i, "bad" + i % 7, 300_000, 114_000);
        }
        LatePolicy policy = new LatePolicy(job.registry, job.settings);
        assertThat(policy.scan(114_000).toString())
                .isEqualTo(policy.scan(114_000).toString());
    }

    @Test
    void settingsOutOfRangeAreRefusedWithTheirRange() {
        assertThatThrownBy(() -> Settings.heddle().with(s -> s.capSlots = 1.5))
                .hasMessage("share of slots that may run backups = 1.5: must be in [0.0, 1.0]");
        assertThatThrownBy(() -> Settings.paper().with(s -> s.slowTaskPercentile = Double.NaN))
                .hasMessageContaining("NaN: must be in [0.0, 100.0]");
        assertThatThrownBy(() -> new PhaseModel(0, 0.7, 0.3, 1)).hasMessageContaining("must ascend from 0 to 1");
    }

    /** Spark and Tez have such a timeout for stages and vertices of one task. */
    @ParameterizedTest
    @CsvSource({"1, 600000, true", "3, 600000, true", "4, 600000, false", "1, 0, false"})
    void aTaskWithoutOthersGetsABackupAfterTheTimeout(int total, long timeout, boolean launched) {
        AttemptRegistry registry = new AttemptRegistry();
        registry.total(TaskKind.MAP, total);
        registry.started(TaskKind.MAP, "alone", "a", "n1", 0);
        LatePolicy policy = new LatePolicy(registry, Settings.heddle().with(s -> s.fewTasksMillis = timeout));
        assertThat(policy.scan(600_000)).noneMatch(decision -> decision.action() == Decision.Action.LAUNCH);
        assertThat(policy.scan(601_000).stream().anyMatch(decision -> decision.reason() == Reason.FEW_TASKS_TIMEOUT))
                .isEqualTo(launched);
        registry.requested(TaskKind.MAP, "alone", 601_000);
        registry.started(TaskKind.MAP, "alone", "b", "n2", 602_000);
        assertThat(policy.scan(700_000))
                .as("one backup is enough")
                .noneMatch(decision -> decision.action() == Decision.Action.LAUNCH);
    }
}
