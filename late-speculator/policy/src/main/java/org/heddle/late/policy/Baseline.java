// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The normal run times of a kind: how long a fresh run of a task takes on a typical node, and how much slower than
 * typical each node is. Each scan computes it from the finished attempts and from the projections of running ones.
 *
 * <p>A task with twice the input is expected to take up to twice as long. Least squares over the same runs give the part
 * of a run that grows with the input.
 */
final class Baseline {
    // An attempt is projected once this part of it is done and it has reported twice.
    private static final double FRACTION_TO_JUDGE = 0.05;
    private static final int ENOUGH_PROJECTIONS = 3;
    private static final int FEW_NODES = 4;
    private static final int LATEST_RUNS = 2;
    private static final int ENOUGH_TO_FIT = 8;
    private static final double SIZE_SHARE_BEFORE_FIT = 0.8;
    private static final int MOST_RUNS_TO_FIT = 500;
    private static final int SHARES = 50;
    // A backup of a reduce fetches everything again. The times of originals, which fetched while maps ran, hide this.
    private static final double HIDDEN_SHUFFLE = 0.2;

    private final AttemptRegistry registry;
    private final TaskKind kind;
    private final double medianSize;
    private final double sizeShare;
    private final double typicalMillis;
    // By the index of the node; 0 evidence where no run is known.
    private final double[] slowness;
    private final int[] evidence;
    private final int[] finished;
    // The fastest of the latest runs of each node, as a multiple of a typical run; infinite where no run is known.
    private final double[] fastestOfLatest;

    /** An attempt and its time: measured, or projected from its pace. */
    private static final class Run {
        final AttemptRecord attempt;
        final double millis;

        Run(AttemptRecord attempt, double millis) {
            this.attempt = attempt;
            this.millis = millis;
        }
    }

    private Baseline(
            AttemptRegistry registry,
            TaskKind kind,
            double medianSize,
            double sizeShare,
            double typicalMillis,
            double[] slowness,
            int[] evidence,
            int[] finished,
            double[] fastestOfLatest) {
        this.registry = registry;
        this.kind = kind;
        this.medianSize = medianSize;
        this.sizeShare = sizeShare;
        this.typicalMillis = typicalMillis;
        this.slowness = slowness;
        this.evidence = evidence;
        this.finished = finished;
        this.fastestOfLatest = fastestOfLatest;
    }

    static Baseline of(AttemptRegistry registry, TaskKind kind, PhaseStats stats, Estimator estimator, long now) {
        AttemptRegistry.KindIndex index = registry.of(kind);
        double medianSize = registry.medianSize(kind);
        int most = index.finished.size() + index.liveAttempts;
        List<Run> runs = new ArrayList<>(most);
        int nodes = registry.nodes().size();
        int[] finished = new int[nodes];
        for (AttemptRecord attempt : index.finished) {
            finished[attempt.on().index()]++;
            runs.add(new Run(attempt, attempt.endedAt() - effectiveStart(registry, attempt)));
        }
        int running = 0;
        for (TaskRecord task : index.running.values()) {
            for (AttemptRecord attempt : task.live) {
                running++;
                double remaining = project(registry, attempt, estimator, now);
                if (!Double.isNaN(remaining)) {
                    runs.add(new Run(attempt, now - effectiveStart(registry, attempt) + remaining));
                }
            }
        }
        int projected = runs.size() - index.finished.size();
        double sizeShare = fitSizeShare(runs, medianSize);
        Sample normal = new Sample(most);
        Sample[] byNode = new Sample[nodes];
        for (Run run : runs) {
            double millis = run.millis / weight(run.attempt.task(), medianSize, sizeShare);
            normal.add(millis);
            int node = run.attempt.on().index();
            byNode[node] = byNode[node] == null ? new Sample(4) : byNode[node];
            byNode[node].add(millis);
        }
        boolean known = !index.finished.isEmpty() || (projected >= ENOUGH_PROJECTIONS && 2 * projected >= running);
        double reference = normal.median();
        double typical = known ? reference : Double.NaN;
        if (kind == TaskKind.REDUCE) {
            double full = stats.fullFirstPhaseMillis();
            double hidden = Double.isNaN(full) ? HIDDEN_SHUFFLE * typical : Math.max(0, full - visibleShuffle(stats));
            typical += Math.min(typical, hidden);
        }
        double[] slowness = new double[nodes];
        int[] evidence = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            Sample onNode = byNode[node];
            slowness[node] = onNode == null ? 1 : onNode.median() / reference;
            evidence[node] = onNode == null ? 0 : onNode.size();
        }
        return new Baseline(
                registry,
                kind,
                medianSize,
                sizeShare,
                typical,
                slowness,
                evidence,
                finished,
                fastestOfLatest(runs, nodes, medianSize, sizeShare, reference));
    }

    /** The runs are in the order of their ends, those that still run last. */
    private static double[] fastestOfLatest(
            List<Run> runs, int nodes, double medianSize, double sizeShare, double reference) {
        int[] counted = new int[nodes];
        double[] fastest = new double[nodes];
        Arrays.fill(fastest, Double.POSITIVE_INFINITY);
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            int node = run.attempt.on().index();
            if (run.attempt.live() || counted[node] < LATEST_RUNS) {
                counted[node] += run.attempt.live() ? 0 : 1;
                double slowness = run.millis / weight(run.attempt.task(), medianSize, sizeShare) / reference;
                fastest[node] = Math.min(fastest[node], slowness);
            }
        }
        return fastest;
    }

    /** Whether a normal run time is known. */
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

    /** How many times slower than typical a node runs this kind; 1 if no run on it is known. */
    double slowness(NodeRecord node) {
        return node.index() < slowness.length ? slowness[node.index()] : 1;
    }

    /**
     * How many times slower than typical the node of a backup is expected to be: the lower quartile of the nodes. Backups
     * start when no original waits, and then it is the fast nodes that have free slots.
     */
    double backupNodeSlowness() {
        Sample nodes = new Sample(slowness.length);
        for (int node = 0; node < slowness.length; node++) {
            if (evidence[node] > 0) {
                nodes.add(slowness[node]);
            }
        }
        return nodes.size() < FEW_NODES ? 1 : Math.min(1, nodes.percentile(25));
    }

    /** Number of attempts behind {@link #slowness} of a node. */
    int evidence(NodeRecord node) {
        return node.index() < evidence.length ? evidence[node.index()] : 0;
    }

    /** The fastest of the latest runs of a node, those that still run included, as a multiple of a typical run. */
    double fastestOfLatest(NodeRecord node) {
        return node.index() < fastestOfLatest.length ? fastestOfLatest[node.index()] : Double.POSITIVE_INFINITY;
    }

    /** Finished attempts of the kind on a node. */
    int finishedOn(NodeRecord node) {
        return node.index() < finished.length ? finished[node.index()] : 0;
    }

    /** Whether the size of the task is known, and sizes have an effect. */
    boolean sizesKnown(TaskRecord task) {
        return sizeShare > 0 && !Double.isNaN(medianSize) && !Double.isNaN(task.size);
    }

    /** Whether the attempt is a reduce that cannot go on before more maps finish. */
    boolean waitsForMaps(AttemptRecord attempt) {
        return kind == TaskKind.REDUCE && attempt.phase() == 0 && registry.mapsDoneAt() < 0;
    }

    /** A reduce that started before the maps were done has only worked since then. */
    static long effectiveStart(AttemptRegistry registry, AttemptRecord attempt) {
        long start = attempt.startedAt();
        return attempt.task().kind() == TaskKind.REDUCE ? Math.max(start, registry.mapsDoneAt()) : start;
    }

    private static double visibleShuffle(PhaseStats stats) {
        double shown = stats.typicalMillis(0);
        return Double.isNaN(shown) ? 0 : shown;
    }

    private static double project(AttemptRegistry registry, AttemptRecord attempt, Estimator estimator, long now) {
        boolean waits = attempt.task().kind() == TaskKind.REDUCE && registry.mapsDoneAt() < 0;
        if (waits || attempt.score() < FRACTION_TO_JUDGE || attempt.readings() < 2) {
            return Double.NaN;
        }
        double remaining = estimator.remainingMillis(attempt, now);
        // An attempt without progress shows only that its node is slow: keep the projection finite.
        return Math.min(remaining, 100.0 * Math.max(1, now - attempt.startedAt()));
    }

    private static double weight(TaskRecord task, double medianSize, double sizeShare) {
        if (Double.isNaN(task.size) || !(medianSize > 0)) {
            return 1;
        }
        return weight(task.size / medianSize, sizeShare);
    }

    private static double weight(double size, double sizeShare) {
        return Math.max(0.05, 1 - sizeShare + sizeShare * size);
    }

    /**
     * The share of a median task's run that grows with size, in [0, 1]: the one with which runs differ least from their
     * median. A run counts as at most twice too long or too short, because a slow node may have had the largest inputs.
     */
    private static double fitSizeShare(List<Run> runs, double medianSize) {
        if (!(medianSize > 0)) {
            return 0;
        }
        int step = 1 + runs.size() / MOST_RUNS_TO_FIT;
        double[] x = new double[runs.size() / step + 1];
        double[] y = new double[x.length];
        int n = 0;
        double sx = 0;
        double sxx = 0;
        for (int i = 0; i < runs.size(); i += step) {
            Run run = runs.get(i);
            if (!Double.isNaN(run.attempt.task().size)) {
                x[n] = run.attempt.task().size / medianSize;
                y[n] = run.millis;
                sx += x[n];
                sxx += x[n] * x[n];
                n++;
            }
        }
        if (n < ENOUGH_TO_FIT || n * sxx - sx * sx < 0.05 * n * n) {
            return SIZE_SHARE_BEFORE_FIT;
        }
        double best = SIZE_SHARE_BEFORE_FIT;
        double least = difference(x, y, n, best);
        for (int i = 0; i <= SHARES; i++) {
            double share = (double) i / SHARES;
            double difference = difference(x, y, n, share);
            if (difference < least) {
                least = difference;
                best = share;
            }
        }
        return best;
    }

    private static double difference(double[] x, double[] y, int n, double share) {
        double[] normal = new double[n];
        for (int i = 0; i < n; i++) {
            normal[i] = y[i] / weight(x[i], share);
        }
        double median = Sample.median(normal);
        double sum = 0;
        for (double millis : normal) {
            sum += Math.min(2, Math.max(millis / median, median / millis));
        }
        return sum;
    }
}
