// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import org.heddle.late.policy.statistics.Sample;

/**
 * Section 4 of the paper: a task qualifies if it has run for a minute, has no backup, and has a progress rate below
 * SlowTaskThreshold; nodes whose total progress is below SlowNodeThreshold get no backup.
 *
 * <p>The paper does not say over which tasks it takes the percentile of the rates. Here it is over all running and
 * succeeded tasks of the kind. Over the running tasks alone, the last task could never be below the percentile, and the
 * example of section 5.4.3 would not finish at minute 4.
 */
final class PaperRules implements Rules {
    private final Settings settings;
    private final long now;
    private final double slowRate;
    private final double slowNodeProgress;

    PaperRules(AttemptRegistry registry, TaskKind kind, Settings settings, long now) {
        this.settings = settings;
        this.now = now;
        AttemptRegistry.KindIndex index = registry.of(kind);
        Sample rates = new Sample(index.finished.size() + index.liveAttempts);
        for (AttemptRecord attempt : index.finished) {
            rates.add(1.0 / Math.max(1, attempt.endedAt() - attempt.startedAt()));
        }
        for (TaskRecord task : index.running.values()) {
            for (AttemptRecord attempt : task.live) {
                rates.add(rate(attempt));
            }
        }
        this.slowRate = rates.percentile(settings.slowTaskPercentile);
        Sample progress = new Sample(registry.nodes().size());
        registry.nodes().values().forEach(node -> progress.add(node.progress()));
        this.slowNodeProgress = progress.percentile(settings.slowNodePercentile);
    }

    @Override
    public Decision judge(TaskRecord task) {
        AttemptRecord attempt = task.live.get(0);
        return Decision.of(attempt, reason(task, attempt), remainingMillis(attempt, now), Double.NaN);
    }

    /** Section 4: (1 - score) / (score / elapsed). Infinite without progress, which is farthest into the future. */
    static double remainingMillis(AttemptRecord attempt, long now) {
        double elapsed = now - attempt.startedAt();
        return attempt.score() > 0 ? (1 - attempt.score()) / attempt.score() * elapsed : Double.POSITIVE_INFINITY;
    }

    private Reason reason(TaskRecord task, AttemptRecord attempt) {
        if (task.backups() > 0) {
            return Reason.ALREADY_BACKED_UP;
        }
        if (now - attempt.startedAt() < settings.minAgeMillis) {
            return Reason.TOO_YOUNG;
        }
        // At the 100th percentile everything qualifies, the fastest included (Figure 11's last point).
        boolean slow = settings.slowTaskPercentile >= 100 || rate(attempt) < slowRate;
        return slow ? Reason.LONGEST_TIME_TO_END : Reason.FAST_ENOUGH;
    }

    @Override
    public double slowness(NodeRecord node) {
        return 1;
    }

    @Override
    public double freshMillis(TaskRecord task, NodeRecord node) {
        return 0;
    }

    @Override
    public boolean pays(double remainingMillis, double freshMillis) {
        return freshMillis < Double.POSITIVE_INFINITY;
    }

    @Override
    public boolean foresees(TaskRecord task) {
        return true;
    }

    @Override
    public boolean misplaced(AttemptRecord backup, FreeSlots freeSlots) {
        return slow(backup.on());
    }

    @Override
    public boolean slow(NodeRecord node) {
        return node.progress() < slowNodeProgress;
    }

    private double rate(AttemptRecord attempt) {
        return attempt.score() / Math.max(1, now - attempt.startedAt());
    }
}
