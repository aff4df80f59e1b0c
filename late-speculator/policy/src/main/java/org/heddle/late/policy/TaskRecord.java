// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What is known about one task. Only {@link AttemptRegistry} changes it. */
public final class TaskRecord {
    private final String id;
    private final TaskKind kind;
    final List<AttemptRecord> live = new ArrayList<>(2);
    double size = Double.NaN;
    int requested;
    int requestedInDryRun;
    long requestedAt = Long.MIN_VALUE / 2;
    int moved;
    String movedFrom = "";
    boolean succeeded;
    boolean backedUp;
    boolean wonByBackup;

    TaskRecord(String id, TaskKind kind) {
        this.id = id;
        this.kind = kind;
    }

    public String id() {
        return id;
    }

    public TaskKind kind() {
        return kind;
    }

    /** Attempts that have started and not ended, oldest first. */
    public List<AttemptRecord> live() {
        return Collections.unmodifiableList(live);
    }

    /** Input size in any unit common to the kind; NaN when unknown. */
    public double size() {
        return size;
    }

    /** Requested backups that have not started yet. */
    public int requested() {
        return requested;
    }

    /** Requested backups that have not started, those of a dry run included. */
    int pending() {
        return requested + requestedInDryRun;
    }

    public boolean succeeded() {
        return succeeded;
    }

    /** Attempts beyond the first, running or requested. */
    public int backups() {
        return succeeded ? 0 : Math.max(0, live.size() + pending() - 1);
    }
}
