// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is normal for a kind right now: how long a fresh run of a task takes on a typical node, and how much slower than
 * typical each node is. Built anew for every scan from what has finished and what runs far enough to project.
 *
 * <p>Sizes enter as weights: a task with twice the input is expected to take up to twice as long. How much of a run
 * grows with the input is learned by least squares over the same runs.
 */
final class Baseline {
    // A projection says something once this much of the attempt is done and two reports agree on the pace.
    private static final double TASTED = 0.05;
    private static final int ENOUGH_PROJECTIONS = 3;
    private static final int FEW_NODES = 4;
    private static final int ENOUGH_TO_FIT = 8;
    private static final double SIZE_SHARE_BEFORE_FIT = 0.8;
    // A copy of a reduce fetches everything again; seen from originals that fetched while maps ran, this is hidden.
    private static final double HIDDEN_SHUFFLE = 0.2;

    private final AttemptRegistry book;
    private final TaskKind kind;
    private final double medianSize;
    private final double sizeShare;
    private final double typicalMillis;
    private final Map<String, Double> slowness;
    private final Map<String, Integer> evidence;
    private final Map<String, Integer> finished;

    /** What an attempt took, or will take by its pace. */
    private static final class Run {
        final AttemptRecord attempt;
        final double millis;

        Run(AttemptRecord attempt, double millis) {
            this.attempt = attempt;
            this.millis = millis;
        }
    }

    private Baseline(
            AttemptRegistry book,
            TaskKind kind,
            double medianSize,
            double sizeShare,
            double typicalMillis,
            Map<String, Double> slowness,
            Map<String, Integer> evidence,
            Map<String, Integer> finished) {
        this.book = book;
        this.kind = kind;
        this.medianSize = medianSize;
        this.sizeShare = sizeShare;
        this.typicalMillis = typicalMillis;
        this.slowness = slowness;
        this.evidence = evidence;
        this.finished = finished;
    }

    static Baseline of(AttemptRegistry book, TaskKind kind, PhaseStats stats, Estimator estimator, long now) {
        AttemptRegistry.KindBook kindBook = book.of(kind);
        double medianSize = book.medianSize(kind);
        int most = kindBook.finished.size() + kindBook.liveAttempts;
        List<Run> runs = new ArrayList<>(most);
        Map<String, Integer> finished = new HashMap<>();
        for (AttemptRecord attempt : kindBook.finished) {
            finished.merge(attempt.node(), 1, Integer::sum);
            runs.add(new Run(attempt, attempt.endedAt() - effectiveStart(book, attempt)));
        }
        int running = 0;
        for (TaskRecord task : kindBook.running.values()) {
            for (AttemptRecord attempt : task.live) {
                running++;
                double remaining = project(book, attempt, estimator, now);
                if (!Double.isNaN(remaining)) {
                    runs.add(new Run(attempt, now - effectiveStart(book, attempt) + remaining));
                }
            }
        }
        int projected = runs.size() - kindBook.finished.size();
        double sizeShare = fitSizeShare(runs, medianSize);
        Sample normal = new Sample(most);
        Map<String, Sample> byNode = new HashMap<>();
        for (Run run : runs) {
            double millis = run.millis / weight(run.attempt.task(), medianSize, sizeShare);
            normal.add(millis);
            byNode.computeIfAbsent(run.attempt.node(), n -> new Sample(4)).add(millis);
        }
        boolean known = !kindBook.finished.isEmpty() || (projected >= ENOUGH_PROJECTIONS && 2 * projected >= running);
        double typical = known ? normal.median() : Double.NaN;
        if (kind == TaskKind.REDUCE) {
            double full = stats.fullFirstPhaseMillis();
            double hidden = Double.isNaN(full) ? HIDDEN_SHUFFLE * typical : Math.max(0, full - shown(stats));
            typical += Math.min(typical, hidden);
        }
        Map<String, Double> slowness = new HashMap<>();
        Map<String, Integer> evidence = new HashMap<>();
        double reference = normal.median();
        byNode.forEach((node, onNode) -> {
            slowness.put(node, onNode.median() / reference);
            evidence.put(node, onNode.size());
        });
        return new Baseline(book, kind, medianSize, sizeShare, typical, slowness, evidence, finished);
    }

    /** Whether anything is known at all. */
    boolean known() {
        return typicalMillis > 0;
    }

    /** Milliseconds a run of typical size takes on a typical node. */
    double typicalMillis() {
        return typicalMillis;
    }

    /** Expected milliseconds of a fresh run of this task on a typical node. */
    double freshMillis(TaskRecord task) {
        return typicalMillis * weight(task, medianSize, sizeShare);
    }

    /** How many times slower than typical a node runs this kind; 1 where nothing is known. */
    double slowness(String node) {
        return slowness.getOrDefault(node, 1.0);
    }

    /**
     * How many times slower than typical the place a backup gets is expected to be: the lower quartile of the nodes.
     * Backups start when no original waits, and then the fast nodes are the ones that have room.
     */
    double landingSlowness() {
        Sample nodes = new Sample(slowness.size());
        slowness.values().forEach(nodes::add);
        return nodes.size() < FEW_NODES ? 1 : Math.min(1, nodes.percentile(25));
    }

    /** Attempts {@link #slowness} of a node rests on. */
    int evidence(String node) {
        return evidence.getOrDefault(node, 0);
    }

    /** Finished attempts of the kind on a node. */
    int finishedOn(String node) {
        return finished.getOrDefault(node, 0);
    }

    boolean sizesKnown(TaskRecord task) {
        return !Double.isNaN(medianSize) && !Double.isNaN(task.size);
    }

    /** Whether the attempt is a reduce that cannot go on before more maps finish. */
    boolean waitsForMaps(AttemptRecord attempt) {
        return kind == TaskKind.REDUCE && attempt.phase() == 0 && book.mapsDoneAt() < 0;
    }

    /** A reduce that started before the maps were done has only worked since then. */
    static long effectiveStart(AttemptRegistry book, AttemptRecord attempt) {
        long start = attempt.startedAt();
        return attempt.task().kind() == TaskKind.REDUCE ? Math.max(start, book.mapsDoneAt()) : start;
    }

    private static double shown(PhaseStats stats) {
        double shown = stats.typicalMillis(0);
        return Double.isNaN(shown) ? 0 : shown;
    }

    private static double project(AttemptRegistry book, AttemptRecord attempt, Estimator estimator, long now) {
        boolean waits = attempt.task().kind() == TaskKind.REDUCE && book.mapsDoneAt() < 0;
        if (waits || attempt.score() < TASTED || attempt.readings() < 2) {
            return Double.NaN;
        }
        double remaining = estimator.remainingMillis(attempt, now);
        // One that stands still is no measure of its node's pace beyond "slow": keep it finite.
        return Math.min(remaining, 100.0 * Math.max(1, now - attempt.startedAt()));
    }

    private static double weight(TaskRecord task, double medianSize, double sizeShare) {
        if (Double.isNaN(task.size) || !(medianSize > 0)) {
            return 1;
        }
        return Math.max(0.05, 1 - sizeShare + sizeShare * task.size / medianSize);
    }

    /** Least squares of run time over size; the share of a median task's run that grows with size, in [0, 1]. */
    private static double fitSizeShare(List<Run> runs, double medianSize) {
        if (!(medianSize > 0)) {
            return 0;
        }
        int n = 0;
        double sx = 0;
        double sy = 0;
        double sxx = 0;
        double sxy = 0;
        for (Run run : runs) {
            if (Double.isNaN(run.attempt.task().size)) {
                continue;
            }
            double x = run.attempt.task().size / medianSize;
            double y = run.millis;
            n++;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        double spread = n * sxx - sx * sx;
        if (n < ENOUGH_TO_FIT || spread < 0.05 * n * n) {
            return SIZE_SHARE_BEFORE_FIT;
        }
        double slope = (n * sxy - sx * sy) / spread;
        double atMedian = sy / n + slope * (1 - sx / n);
        return atMedian > 0 ? Math.min(1, Math.max(0, slope / atMedian)) : SIZE_SHARE_BEFORE_FIT;
    }
}
