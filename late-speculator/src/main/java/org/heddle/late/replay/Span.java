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

    Span(
            String task,
            TaskKind kind,
            String node,
            long start,
            long shuffled,
            long sorted,
            long end,
            boolean won,
            boolean backup) {
        this.task = task;
        this.kind = kind;
        this.node = node;
        this.start = start;
        this.shuffled = Math.min(end, Math.max(start, shuffled));
        this.sorted = Math.min(end, Math.max(this.shuffled, sorted));
        this.end = end;
        this.won = won;
        this.backup = backup;
    }

    /** The same attempt with another end and outcome. */
    Span ending(long at, boolean success) {
        return new Span(task, kind, node, start, shuffled, sorted, at, success, backup);
    }

    /** The same attempt with everything after its start earlier, but not before {@code notBefore}. */
    Span earlier(long by, long notBefore) {
        long shift = Math.max(0, Math.min(by, shuffled - Math.max(start, notBefore)));
        return new Span(task, kind, node, start, shuffled - shift, sorted - shift, end - shift, won, backup);
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
