// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.heddle.testkit.ProcessCluster;

/** Runs a workload over and over in a thread of its own, until too many units are lost. */
final class Lane {
    private static final int MOST_PROBLEMS = 20;

    private final Workload workload;
    private final ProcessCluster cluster;
    private final Thread thread;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private volatile boolean over;
    private volatile int done;

    Lane(Workload workload, ProcessCluster cluster) {
        this.workload = workload;
        this.cluster = cluster;
        thread = new Thread(this::run, "soak-" + workload.name());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        for (int number = 1; !over && problems.size() < MOST_PROBLEMS; number++) {
            try {
                workload.once(cluster, number);
                done = number - problems.size();
            } catch (Exception e) { // whatever it is, it is a unit that was lost
                String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                problems.add(workload.name() + ", number " + number + ": " + said);
            }
        }
    }

    /** Lets the unit that runs be the last one. */
    void stop() {
        over = true;
    }

    /** Waits for the last unit. */
    void await() throws InterruptedException {
        thread.join();
    }

    String name() {
        return workload.name();
    }

    String note() {
        return workload.note();
    }

    /** Units that ended well. */
    int done() {
        return done;
    }

    List<String> problems() {
        return problems;
    }
}
