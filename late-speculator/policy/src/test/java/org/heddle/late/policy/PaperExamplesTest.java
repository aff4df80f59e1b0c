// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The concrete examples the paper argues with. */
class PaperExamplesTest {
    /** Section 5.4.3: ten nodes of 1 minute a task, X of 2.9, Y of 10; 32 tasks, a node asks when it is free. */
    @Test
    void withoutBackupsOnSlowNodesTheJobEndsAtMinute4() {
        assertThat(minutesOfXAndY(Settings.paper())).isEqualTo(4.0);
        assertThat(minutesOfXAndY(Settings.paper().with(s -> s.slowNodePercentile = 0)))
                .as("without SlowNodeThreshold X takes the copy and needs 2.9 minutes for it")
                .isEqualTo(5.8);
        assertThat(minutesOfXAndY(Settings.heddle())).isEqualTo(4.0);
    }

    private record Run(String task, String attempt, String node, long start, long end) {}

    private static double minutesOfXAndY(Settings settings) {
        Map<String, Long> nodes = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            nodes.put("fast" + i, 60_000L);
        }
        nodes.put("X", 174_000L);
        nodes.put("Y", 600_000L);
        AttemptRegistry registry = new AttemptRegistry();
        registry.total(TaskKind.MAP, 32);
        registry.waiting(TaskKind.MAP, 32);
        LatePolicy policy = new LatePolicy(registry, settings);
        Deque<String> waiting = new ArrayDeque<>();
        for (int i = 0; i < 32; i++) {
            waiting.add("t" + i);
        }
        PriorityQueue<Run> running =
                new PriorityQueue<>(Comparator.comparingLong(Run::end).thenComparing(Run::node));
        Deque<String> free = new ArrayDeque<>(nodes.keySet());
        int attempts = 0;
        long now = 0;
        while (registry.succeeded(TaskKind.MAP) < 32) {
            for (Run run : running) {
                registry.reported(run.attempt(), (double) (now - run.start()) / (run.end() - run.start()), now);
            }
            for (int i = free.size(); i > 0; i--) {
                String node = free.remove();
                String task = waiting.poll();
                if (task != null) {
                    registry.waiting(TaskKind.MAP, -1);
                } else {
                    Decision decision = policy.offer(TaskKind.MAP, node, now);
                    if (decision.action() != Decision.Action.LAUNCH) {
                        free.add(node);
                        continue;
                    }
                    task = decision.task();
                    registry.requested(TaskKind.MAP, task, now);
                }
                String attempt = task + "_" + attempts++;
                long end = now + nodes.getOrDefault(node, 0L);
                registry.started(TaskKind.MAP, task, attempt, node, now);
                running.add(new Run(task, attempt, node, now, end));
            }
            now += 6_000;
            while (!running.isEmpty() && running.peek().end() <= now) {
                Run done = running.remove();
                registry.ended(done.attempt(), done.end(), true);
                free.add(done.node());
            }
        }
        return now / 60_000.0;
    }

    /** Figure 2: 5 % a second up to half, then 1 % a second; copies started at 0 and 10, seen at 20. */
    @Test
    void thePhaseAwareEstimatorOrdersTwoPhaseTasksRight() {
        AttemptRegistry registry = new AttemptRegistry();
        registry.phases(TaskKind.REDUCE, new PhaseModel(0, 0.5, 1));
        registry.total(TaskKind.REDUCE, 2);
        AttemptRecord t1 = registry.started(TaskKind.REDUCE, "t1", "a1", "n1", 0);
        AttemptRecord t2 = registry.started(TaskKind.REDUCE, "t2", "a2", "n2", 10_000);
        for (long at = 1_000; at <= 20_000; at += 1_000) {
            registry.reported("a1", twoPhases(at), at);
            registry.reported("a2", twoPhases(at - 10_000), at);
        }

        assertThat(PaperRules.remainingMillis(t1, 20_000)).isCloseTo(13_333, within(100));
        assertThat(PaperRules.remainingMillis(t2, 20_000)).isCloseTo(10_000, within(100));

        Estimator phaseAware = new Estimator(PhaseStats.of(registry, TaskKind.REDUCE), 15_000);
        assertThat(phaseAware.remainingMillis(t1, 20_000)).isCloseTo(40_000, within(500));
        assertThat(phaseAware.remainingMillis(t2, 20_000)).isCloseTo(50_000, within(500));
    }

    private static double twoPhases(long age) {
        return age <= 10_000 ? Math.max(0, age) * 0.05 / 1_000 : 0.5 + (age - 10_000) * 0.01 / 1_000;
    }

    /**
     * Section 3.2: when the first 30 of 100 reducers have all map outputs their score jumps from 1/3 to 1, and all
     * others are 20 % behind the average.
     */
    @Test
    void onlySlowReducesGetBackupsWhenTheFirstOnesFinish() {
        for (Settings settings : List.of(Settings.paper(), Settings.heddle())) {
            AttemptRegistry registry = new AttemptRegistry();
            registry.total(TaskKind.REDUCE, 100);
            long now = 0;
            for (int i = 0; i < 100; i++) {
                registry.started(TaskKind.REDUCE, "r" + i, "a" + i, "n" + i / 2, 0);
            }
            // Copy takes 100 s on most nodes, 300 s on one; sort and reduce are quick.
            for (now = 6_000; now <= 108_000; now += 6_000) {
                for (int i = 0; i < 100; i++) {
                    double copied = now / (i < 30 ? 100_000.0 : i < 98 ? 112_000.0 : 400_000.0);
                    registry.reported("a" + i, Math.min(1, copied) / 3, now);
                    if (i < 30 && now >= 102_000) {
                        registry.ended("a" + i, now, true);
                    }
                }
            }
            List<String> launched = new LatePolicy(registry, settings)
                    .scan(now - 6_000).stream()
                            .filter(v -> v.action() == Decision.Action.LAUNCH)
                            .map(Decision::task)
                            .toList();
            assertThat(launched).as("%s", settings.profile()).startsWith("r98", "r99");
            assertThat(launched).hasSizeLessThanOrEqualTo(10);
            if (settings.profile() == Settings.Profile.HEDDLE) {
                assertThat(launched).containsExactly("r98", "r99");
            }
        }
    }

    /** Section 4.1: A five times slower at 90 %, B twice slower at 10 %; B hurts more. */
    @Test
    void theTaskThatEndsLastIsCopiedFirst() {
        AttemptRegistry registry = new AttemptRegistry();
        registry.total(TaskKind.MAP, 20);
        for (int i = 0; i < 18; i++) {
            registry.started(TaskKind.MAP, "t" + i, "a" + i, "n" + i, 0);
            registry.ended("a" + i, 400_000, true);
        }
        registry.started(TaskKind.MAP, "A", "aA", "nA", 200_000);
        registry.started(TaskKind.MAP, "B", "aB", "nB", 1_920_000);
        for (long now = 1_940_000; now <= 2_000_000; now += 6_000) {
            registry.reported("aA", (now - 200_000) / 2_000_000.0, now);
            registry.reported("aB", (now - 1_920_000) / 800_000.0, now);
        }
        assertThat(new LatePolicy(registry, Settings.paper())
                        .scan(2_000_000)
                        .get(0)
                        .task())
                .isEqualTo("B");
    }

    private static org.assertj.core.data.Offset<Double> within(double millis) {
        return org.assertj.core.data.Offset.offset(millis);
    }
}
