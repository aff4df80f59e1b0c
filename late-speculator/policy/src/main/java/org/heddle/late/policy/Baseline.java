// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;

/**
 * The normal run times of a kind: how long a fresh run of a task takes on a typical node, and how much slower than
 * typical each node is. Each scan computes it from the finished attempts and from the projections of running ones.
 *
 * <p>A task with twice the input is expected to take up to twice as long. Least squares over the same runs give the part
 * of a run that grows with the input.
 */
final class Baseline {
    private static final int FEW_NODES = 4;
    private static final int LATEST_RUNS = 2;
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
        int nodes = registry.nodes().size();
        Runs runs = new Runs(registry, kind, estimator, now);
        double sizeShare = runs.sizeShare();
        double[] normal = runs.normalMillis(sizeShare);
        double[][] byNode = byNode(runs, normal, nodes);
        int[] finished = new int[nodes];
        for (int i = 0; i < runs.ended; i++) {
            finished[runs.nodes[i]]++;
        }
        double[] fastestOfLatest = fastestOfLatest(runs, normal, nodes);
        double reference = Sample.median(normal);
        double typical = runs.enough() ? reference : Double.NaN;
        if (kind == TaskKind.REDUCE) {
            double full = stats.fullFirstPhaseMillis();
            double hidden = Double.isNaN(full) ? HIDDEN_SHUFFLE * typical : Math.max(0, full - visibleShuffle(stats));
            typical += Math.min(typical, hidden);
        }
        double[] slowness = new double[nodes];
        int[] evidence = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            evidence[node] = byNode[node].length;
            slowness[node] = evidence[node] == 0 ? 1 : Sample.median(byNode[node]) / reference;
            fastestOfLatest[node] /= reference;
        }
        return new Baseline(
                registry,
                kind,
                registry.medianSize(kind),
                sizeShare,
                typical,
                slowness,
                evidence,
                finished,
                fastestOfLatest);
    }

    private static double[][] byNode(Runs runs, double[] normal, int nodes) {
        int[] counts = new int[nodes];
        for (int i = 0; i < runs.count; i++) {
            counts[runs.nodes[i]]++;
        }
        double[][] byNode = new double[nodes][];
        for (int node = 0; node < nodes; node++) {
            byNode[node] = new double[counts[node]];
        }
        for (int i = 0; i < runs.count; i++) {
            int node = runs.nodes[i];
            byNode[node][--counts[node]] = normal[i];
        }
        return byNode;
    }

    /** Of the latest ended runs of each node, and of those that still run. */
    private static double[] fastestOfLatest(Runs runs, double[] normal, int nodes) {
        int[] counted = new int[nodes];
        double[] fastest = new double[nodes];
        Arrays.fill(fastest, Double.POSITIVE_INFINITY);
        for (int i = runs.count - 1; i >= 0; i--) {
            int node = runs.nodes[i];
            boolean live = i >= runs.ended;
            if (live || counted[node] < LATEST_RUNS) {
                counted[node] += live ? 0 : 1;
                fastest[node] = Math.min(fastest[node], normal[i]);
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

    private static double weight(TaskRecord task, double medianSize, double sizeShare) {
        if (Double.isNaN(task.size) || !(medianSize > 0)) {
            return 1;
        }
        return Runs.weight(task.size / medianSize, sizeShare);
    }
}
