// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

/** What the tasks of a group wait for. */
public enum TaskKind {
    /**
     * A map, or a container of an application that is not MapReduce: is requested when the job's master has started.
     */
    MAP(20),
    /**
     * A reduce: is requested when enough maps have ended and all have their containers, and ends its recorded time
     * after the last map.
     */
    REDUCE(10),
    /** Runs task after task; is requested when the job's master has started, and ends with the job. */
    EXECUTOR(1);

    private final int priority;

    TaskKind(int priority) {
        this.priority = priority;
    }

    /** The priority in YARN's requests, as MapReduce sets it; the smaller number is served first. */
    public int priority() {
        return priority;
    }
}
