// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.util.LinkedHashMap;
import java.util.Map;

/** What starts as a whole: a rigid job, or one element of an array. A row of the queue's file. */
@JsonAutoDetect(
        fieldVisibility = JsonAutoDetect.Visibility.ANY,
        getterVisibility = JsonAutoDetect.Visibility.NONE,
        isGetterVisibility = JsonAutoDetect.Visibility.NONE)
final class Part {
    /**
     * QUEUED, then STARTING (it has its place in the cluster, and needs offers), then RUNNING; then one of the others.
     */
    enum State {
        QUEUED,
        STARTING,
        RUNNING,
        DONE,
        FAILED,
        DELETED;

        boolean isOver() {
            return this == DONE || this == FAILED || this == DELETED;
        }

        boolean hasPlace() {
            return this == STARTING || this == RUNNING;
        }
    }

    final String job;
    final int index;
    State state = State.QUEUED;

    /** When all its tasks ran, ms since 1970. */
    long startedAt;

    long endedAt;

    /** Tasks launched so far; names of tasks contain it, so none is used twice. */
    int launches;

    /** The reason of its end, or of the last requeue. */
    String note = "";

    /** Ids of the tasks that live, and their agents. */
    final Map<String, String> tasks = new LinkedHashMap<>();

    /** Tasks that finished in this run. */
    int finished;

    /** For Jackson. */
    @SuppressWarnings("unused")
    private Part() {
        this("", 0);
    }

    Part(String job, int index) {
        this.job = job;
        this.index = index;
    }
}
