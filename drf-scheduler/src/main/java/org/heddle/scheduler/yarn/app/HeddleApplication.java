// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * An application in a leaf queue. The schedulable belongs to the application, not to an attempt, so containers that
 * stay across attempts still count.
 */
public final class HeddleApplication extends SchedulerApplication<HeddleAttempt> {
    private Schedulable schedulable;
    private boolean runnable;
    private long masterSinceMillis = Long.MIN_VALUE / 2;
    private @Nullable String home;
    private String title = "";
    private Set<String> tags = Set.of();
    private final TakenAhead takenAhead = new TakenAhead();

    HeddleApplication(HeddleQueue leaf, String user, Priority priority, boolean unmanagedAm, Schedulable schedulable) {
        super(leaf, user, priority, unmanagedAm);
        this.schedulable = schedulable;
        schedulable.attach(this);
    }

    /** The applications of a queue and of those below it: {@link HeddleQueue#applications}. */
    public static List<HeddleApplication> of(HeddleQueue queue) {
        return queue.applications().stream().map(HeddleApplication.class::cast).toList();
    }

    /** The current attempt of the application that a leaf of the engine's tree stands for; null if there is none. */
    public static @Nullable HeddleAttempt attemptOf(@Nullable Schedulable leaf) {
        if (leaf != null && leaf.owner() instanceof HeddleApplication application) {
            return application.getCurrentAppAttempt();
        }
        return null;
    }

    public HeddleQueue leaf() {
        return (HeddleQueue) getQueue();
    }

    public Schedulable schedulable() {
        return schedulable;
    }

    public void setSchedulable(Schedulable moved) {
        schedulable = moved;
    }

    /** When its last ApplicationMaster got a container, by the scheduler's clock; long ago if it has none. */
    long masterSinceMillis() {
        return masterSinceMillis;
    }

    void masterStarted(long nowMillis) {
        masterSinceMillis = nowMillis;
    }

    /** What it has been given ahead of heartbeats. */
    public TakenAhead takenAhead() {
        return takenAhead;
    }

    /**
     * The path of the queue in which it was before a restart and which was gone then; null if it has not lost its
     * queue.
     */
    @Nullable
    String home() {
        return home;
    }

    void setHome(@Nullable String queue) {
        home = queue;
    }

    /** The name that its user gave it; empty if none. */
    public String title() {
        return title;
    }

    /** The words by which its user finds it. */
    public Set<String> tags() {
        return tags;
    }

    void describe(@Nullable RMApp submitted) {
        if (submitted != null) {
            title = Objects.requireNonNullElse(submitted.getName(), "");
            tags = submitted.getApplicationTags() == null ? Set.of() : Set.copyOf(submitted.getApplicationTags());
        }
    }

    /** Whether the limits of running applications let it run. */
    public boolean isRunnable() {
        return runnable;
    }

    void setRunnable(boolean now) {
        runnable = now;
    }
}
