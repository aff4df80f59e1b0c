// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.demos.drf.ClusterRest.App;

/** The state of the jobs, shared by the threads that run them and those that show them. */
final class JobBoard {
    @GuardedBy("this")
    private Map<String, App> apps = Map.of();

    @GuardedBy("this")
    private final Map<String, Integer> finished = new HashMap<>();

    @GuardedBy("this")
    private final Set<String> stoppable = new TreeSet<>();

    @GuardedBy("this")
    private final List<Check> checks = new ArrayList<>();

    @GuardedBy("this")
    private boolean closing;

    @GuardedBy("this")
    private boolean abandoned;

    @GuardedBy("this")
    private int required;

    JobBoard(int requiredRuns) {
        this.required = requiredRuns;
    }

    /** The last answer of REST. */
    synchronized void see(Map<String, App> seen) {
        apps = Map.copyOf(seen);
    }

    synchronized Map<String, App> apps() {
        return apps;
    }

    /** No new runs; those that only keep the backlog up may be stopped. */
    synchronized void close() {
        closing = true;
    }

    /** The cluster is stopping: failures from now on are expected. */
    synchronized void abandon() {
        closing = true;
        abandoned = true;
    }

    synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized boolean isClosing() {
        return closing;
    }

    /** An application that is stopped when measuring ends. */
    synchronized void stoppable(String app) {
        stoppable.add(app);
    }

    synchronized Set<String> stoppable() {
        return Set.copyOf(stoppable);
    }

    synchronized void jobSucceeded(String user) {
        finished.merge(user, 1, Integer::sum);
    }

    synchronized int finishedJobs(String user) {
        return finished.getOrDefault(user, 0);
    }

    synchronized void add(Check check) {
        checks.add(check);
    }

    synchronized List<Check> checks() {
        return List.copyOf(checks);
    }

    /** A run that had to be done is done, well or badly. */
    synchronized void requiredDone() {
        required--;
    }

    synchronized int requiredLeft() {
        return required;
    }

    synchronized boolean hasFailed() {
        return checks.stream().anyMatch(check -> !check.holds());
    }
}
