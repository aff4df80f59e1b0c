// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import org.heddle.late.policy.TaskKind;

/** One attempt from start to end, ms. Reduces also have the ends of their shuffle and sort. Immutable. */
final class Span {
    final String task;
    final TaskKind kind;
    final String node;
    final long start;
    final long shuffled;
    final long sorted;
    final long end;
    final boolean won;
    final boolean backup;

    /** When an attempt did what; a map has no times of shuffle and sort, and 0 in their place. */
    static final class Times {
        private final long start;
        private final long shuffled;
        private final long sorted;
        private final long end;

        Times(long start, long shuffled, long sorted, long end) {
            this.start = start;
            this.shuffled = shuffled;
            this.sorted = sorted;
            this.end = end;
        }
    }

    Span(String task, TaskKind kind, String node, Times times, boolean won, boolean backup) {
        this.task = task;
        this.kind = kind;
        this.node = node;
        this.start = times.start;
        this.end = times.end;
        this.shuffled = Math.min(end, Math.max(start, times.shuffled));
        this.sorted = Math.min(end, Math.max(shuffled, times.sorted));
        this.won = won;
        this.backup = backup;
    }

    /** The same attempt with another end and outcome. */
    Span ending(long at, boolean success) {
        return new Span(task, kind, node, new Times(start, shuffled, sorted, at), success, backup);
    }

    /** The same attempt with everything after its start earlier, but not before {@code notBefore}. */
    Span earlier(long by, long notBefore) {
        long shift = Math.max(0, Math.min(by, shuffled - Math.max(start, notBefore)));
        Times earlier = new Times(start, shuffled - shift, sorted - shift, end - shift);
        return new Span(task, kind, node, earlier, won, backup);
    }

    /** Progress score at a time, as MapReduce reports it. */
    double score(long at) {
        if (kind == TaskKind.MAP) {
            return share(start, end, at);
        }
        return (share(start, shuffled, at) + share(shuffled, sorted, at) + share(sorted, end, at)) / 3;
    }

    private static double share(long from, long to, long at) {
        if (at >= to) {
            return 1;
        }
        return Math.max(0, (double) (at - from) / (to - from));
    }
}
