// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long containers have run, and how long those that run now will still run. The expectation is the median over the
 * last containers of the same application and priority that ran longer than this one already has. Times are in
 * milliseconds. Not safe for several threads.
 */
public final class RunTimes {
    /** The remaining time of a container about which too little is known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    private static final int SAMPLES = 32;
    private static final int FEWEST = 3;
    private static final int MOST_KINDS = 10_000;

    /**
     * Containers whose run times are alike.
     *
     * @param application any key of the application
     * @param priority of their ask
     */
    public record Kind(Object application, int priority) {}

    /**
     * A container that runs.
     *
     * @param id any key of the container
     * @param startMillis when it was allocated
     */
    public record Running(Object id, Kind kind, long startMillis) {}

    private Map<Object, Running> running = new HashMap<>();
    /** In the order of the last end. */
    private final Map<Kind, Deque<Long>> ended = new LinkedHashMap<>();

    /**
     * Takes over what runs now. A container that ran before and runs no longer has ended, now. A container that is
     * known keeps its first start.
     */
    public void observe(Collection<Running> now, long nowMillis) {
        Map<Object, Running> next = new HashMap<>();
        for (Running container : now) {
            Running known = running.remove(container.id());
            next.put(container.id(), known == null ? container : known);
        }
        running.values().forEach(gone -> addEnded(gone.kind(), nowMillis - gone.startMillis()));
        running = next;
    }

    private void addEnded(Kind kind, long millis) {
        Deque<Long> past = ended.remove(kind);
        past = past == null ? new ArrayDeque<>() : past;
        past.addLast(millis);
        if (past.size() > SAMPLES) {
            past.removeFirst();
        }
        ended.put(kind, past);
        if (ended.size() > MOST_KINDS) {
            Iterator<Kind> oldest = ended.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Forgets a container whose end says nothing about others: it was preempted, or its node was lost. */
    public void forget(Object id) {
        running.remove(id);
    }

    /** How long it has run; 0 if it is not known. */
    public long runMillis(Object id, long nowMillis) {
        Running container = running.get(id);
        return container == null ? 0 : Math.max(0, nowMillis - container.startMillis());
    }

    /** How long it is expected to run from now on; {@link #UNKNOWN} if too few of its kind ran longer than it has. */
    public long remainingMillis(Object id, long nowMillis) {
        @Nullable Running container = running.get(id);
        Deque<Long> past = container == null ? null : ended.get(container.kind());
        if (past == null) {
            return UNKNOWN;
        }
        long run = runMillis(id, nowMillis);
        long[] longer = past.stream()
                .mapToLong(Long::longValue)
                .filter(each -> each > run)
                .toArray();
        Arrays.sort(longer);
        return longer.length < FEWEST ? UNKNOWN : longer[longer.length / 2] - run;
    }
}
