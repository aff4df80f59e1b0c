// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;
import java.util.Collection;
import org.heddle.late.policy.statistics.Sample;

/**
 * The normal run times of a kind: how long a fresh run of a task takes on a typical node, and how much slower than
 * typical each node is. Each scan computes it from the finished attempts and from the projections of running ones.
 *
 * <p>A task with twice the input is expected to take up to twice as long. {@link Runs#sizeShare} measures which part of
 * a run grows with the input.
 */
final class Baseline {
    private static final int FEW_NODES = 4;
    private static final int LATEST_RUNS = 2;
    // A backup of a reduce fetches everything again. The times of originals, which fetched while maps ran, hide this.
    private static final double HIDDEN_SHUFFLE = 0.2;

    // A node is known to be slower if its attempts take more than this many times the typical run.
    private static final double SLOWER = 1.1;
    private static final int ENOUGH_RUNS = 2;
    // Runs are alike if nine of ten take at most this many times as long as the shortest tenth.
    private static final double ALIKE = 1.25;
    private static final int ENOUGH_TO_COMPARE = 8;
    // A reduce that has fetched less than this part of what its peers have fetched does not only wait for maps.
    private static final double FETCHES_SLOWLY = 0.5;

    private final AttemptRegistry registry;
    private final TaskKind kind;
    private final double medianSize;
    private final double sizeShare;
    private final double typicalMillis;
    // By the index of the node.
    private final OnNode[] nodes;
    private final double scoreOfPeers;
    private final boolean runsAlike;

    /** The runs on a node, as multiples of a typical run. */
    private static final class OnNode {
        static final OnNode NOTHING = new OnNode();

        double slowness = 1;
        /** How many runs are known. */
        int evidence;
        /** How many of these have ended. */
        int finished;
        /** The fastest of the latest runs, those that still run included. */
        double fastestOfLatest = Double.POSITIVE_INFINITY;
    }

    private Baseline(AttemptRegistry registry, TaskKind kind, Runs runs, PhaseStats stats) {
        this.registry = registry;
        this.kind = kind;
        this.medianSize = registry.medianSize(kind);
        this.sizeShare = runs.sizeShare();
        double[] normal = runs.normalMillis(sizeShare);
        double reference = Sample.median(normal.clone());
        double typical = runs.enough() ? reference : Double.NaN;
        this.typicalMillis = typical + Math.min(typical, hiddenShuffle(kind, typical, stats));
        this.nodes = onNodes(runs, normal, reference, registry.nodes().size());
        slowDown(registry.nodes().values());
        this.runsAlike =
                runs.ended >= registry.running(kind).size() && alike(normal, runs.ended); // the short ones end first
        this.scoreOfPeers = medianScore(registry.running(kind));
    }

    /** @param now milliseconds, as all times */
    static Baseline of(AttemptRegistry registry, TaskKind kind, PhaseStats stats, Estimator estimator, long now) {
        return new Baseline(registry, kind, new Runs(registry, kind, estimator, now), stats);
    }

    /** Milliseconds of a fresh run that the runs of originals do not show. */
    private static double hiddenShuffle(TaskKind kind, double typical, PhaseStats stats) {
        if (kind == TaskKind.MAP) {
            return 0;
        }
        double full = stats.fullFirstPhaseMillis();
        if (Double.isNaN(full)) {
            return HIDDEN_SHUFFLE * typical;
        }
        double shown = stats.typicalMillis(0);
        return Double.isNaN(shown) ? full : Math.max(0, full - shown);
    }

    /**
     * Most runs of a node ended before it became slower. If most nodes did, it is the score that goes up slowly towards
     * the end.
     */
    private void slowDown(Collection<NodeRecord> records) {
        Sample all = new Sample(records.size());
        records.forEach(node -> all.add(node.slowdown()));
        double usual = all.median();
        records.forEach(node -> nodes[node.index()].slowness *= Math.max(1, node.slowdown() / usual));
    }

    private static boolean alike(double[] normal, int ended) {
        Sample runs = new Sample(ended);
        for (int i = 0; i < ended; i++) {
            runs.add(normal[i]);
        }
        return ended >= ENOUGH_TO_COMPARE && runs.percentile(90) <= ALIKE * runs.percentile(10);
    }

    private static double medianScore(Collection<TaskRecord> running) {
        Sample scores = new Sample(running.size());
        running.forEach(task -> scores.add(task.live.get(0).score()));
        return scores.median();
    }

    private static OnNode[] onNodes(Runs runs, double[] normal, double reference, int count) {
        OnNode[] nodes = new OnNode[count];
        Arrays.setAll(nodes, node -> new OnNode());
        for (int i = 0; i < runs.count; i++) {
            nodes[runs.nodes[i]].evidence++;
        }
        double[][] byNode = new double[count][];
        for (int node = 0; node < count; node++) {
            byNode[node] = new double[nodes[node].evidence];
        }
        int[] known = new int[count];
        // The latest ones first.
        for (int i = runs.count - 1; i >= 0; i--) {
            int index = runs.nodes[i];
            OnNode node = nodes[index];
            byNode[index][known[index]++] = normal[i];
            boolean live = i >= runs.ended;
            if (live || node.finished < LATEST_RUNS) {
                node.fastestOfLatest = Math.min(node.fastestOfLatest, normal[i] / reference);
            }
            if (!live) {
                node.finished++;
            }
        }
        for (int node = 0; node < count; node++) {
            if (nodes[node].evidence > 0) {
                nodes[node].slowness = Sample.median(byNode[node]) / reference;
            }
        }
        return nodes;
    }

    /** A node that the job has not used has nothing. */
    private OnNode on(NodeRecord node) {
        return node.index() < nodes.length ? nodes[node.index()] : OnNode.NOTHING;
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
        return on(node).slowness;
    }

    /**
     * How many times slower than typical the node of a backup is expected to be: the fastest node with a known free
     * slot. If none is known, the lower quartile of the nodes: backups start when no original waits, and then it is the
     * fast nodes that have free slots.
     */
    double backupNodeSlowness() {
        double best = Double.POSITIVE_INFINITY;
        for (NodeRecord node : registry.nodes().values()) {
            if (node.free(kind) > 0) {
                best = Math.min(best, slowness(node));
            }
        }
        return best < Double.POSITIVE_INFINITY ? best : lowerQuartile();
    }

    private double lowerQuartile() {
        Sample known = new Sample(nodes.length);
        for (OnNode node : nodes) {
            if (node.evidence > 0) {
                known.add(node.slowness);
            }
        }
        return known.size() < FEW_NODES ? 1 : Math.min(1, known.percentile(25));
    }

    /**
     * Whether attempts that ended have shown that the node is slow, so that a new attempt there is slow from the start.
     */
    boolean knownSlow(NodeRecord node) {
        return finishedOn(node) > 0 && evidence(node) >= ENOUGH_RUNS && slowness(node) > SLOWER;
    }

    /** Number of attempts behind {@link #slowness} of a node. */
    int evidence(NodeRecord node) {
        return on(node).evidence;
    }

    /** The fastest of the latest runs of a node, those that still run included, as a multiple of a typical run. */
    double fastestOfLatest(NodeRecord node) {
        return on(node).fastestOfLatest;
    }

    /** Finished attempts of the kind on a node. */
    int finishedOn(NodeRecord node) {
        return on(node).finished;
    }

    /** Whether the size of the task is known, and sizes have an effect. */
    boolean sizesKnown(TaskRecord task) {
        return sizeShare > 0 && !Double.isNaN(medianSize) && !Double.isNaN(task.size);
    }

    /** Whether the runs that have ended took about as long, so that tasks are probably of one size. */
    boolean runsAlike() {
        return runsAlike;
    }

    /** Whether the attempt is a reduce that cannot go on before more maps finish. */
    boolean waitsForMaps(AttemptRecord attempt) {
        return kind == TaskKind.REDUCE && attempt.phase() == 0 && registry.mapsDoneAt() < 0;
    }

    /** Whether a reduce has fetched so much less than its peers that it does not only wait for maps. */
    boolean fetchesSlowly(AttemptRecord attempt) {
        double there = registry.mapsDoneShare() * attempt.phases().width(0);
        return attempt.score() < FETCHES_SLOWLY * Math.min(there, scoreOfPeers);
    }

    /** Whether an attempt of the kind has ended, so that times are not only projected. */
    boolean measured() {
        return registry.succeeded(kind) > 0;
    }

    /** The longest run that has ended, in milliseconds; infinite if none has. */
    double longestRunMillis() {
        return registry.of(kind).finished.stream()
                .mapToDouble(attempt -> attempt.endedAt() - workingSince(attempt))
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** As {@link #effectiveStart}. */
    long workingSince(AttemptRecord attempt) {
        return effectiveStart(registry, attempt);
    }

    /** A reduce that started before the maps were done has only worked since then. */
    static long effectiveStart(AttemptRegistry registry, AttemptRecord attempt) {
        long start = attempt.startedAt();
        return attempt.task().kind() == TaskKind.REDUCE ? Math.max(start, registry.mapsDoneAt()) : start;
    }

    private static double weight(TaskRecord task, double medianSize, double sizeShare) {
        if (Double.isNaN(task.size) || !(medianSize > 0)) {
            return 1;
        }
        return Runs.weight(task.size / medianSize, sizeShare);
    }
}
