// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.snapshot.PendingAsks;
import org.heddle.scheduler.yarn.compat.ResourceVectors;

/** What all queues together ask for on the nodes of each label; the empty one is that of nodes without. Any thread. */
public final class PendingByLabel {
    private static final class Total {
        private long containers;
        private final long[] resources;

        Total(int size) {
            resources = new long[size];
        }
    }

    private final ResourceVectors vectors;

    @GuardedBy("this")
    private final Map<String, Total> labels = new TreeMap<>();

    PendingByLabel(ResourceVectors vectors) {
        this.vectors = vectors;
    }

    /** Adds containers of one size; fewer than 0 are not asked for any more. */
    synchronized void add(String label, int containers, Resource each) {
        Total total = labels.computeIfAbsent(label, any -> new Total(vectors.size()));
        total.containers += containers;
        Vectors.add(total.resources, vectors.of(each), containers);
    }

    /** With 0 for each label for which something was asked once, so that a series in a monitoring system has an end. */
    public synchronized Map<String, PendingAsks> report() {
        Map<String, PendingAsks> report = new TreeMap<>();
        labels.forEach(
                (label, total) -> report.put(label, new PendingAsks(total.containers, vectors.toMap(total.resources))));
        return Collections.unmodifiableMap(report);
    }
}
