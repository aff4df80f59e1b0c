// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.whatif.model.Size;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as its past shows it: the hosts that ran containers, and the most memory and vcores that were in use at once
 * on one of them. A host that was never full looks smaller than it is, so each counts as large as the largest.
 */
final class RecordedNodes {
    /** From a time on, so much more is used on a host; less if it is negative. */
    private record Change(long millis, long memoryMb, int vcores) {}

    private final Map<String, List<Change>> hosts = new HashMap<>();

    /** A container that ran on a host, in milliseconds since 1970; a host that is not known does not count. */
    void add(@Nullable String host, Size size, long startMillis, long endMillis) {
        if (host == null || host.isBlank() || host.equals("null")) {
            return;
        }
        List<Change> changes = hosts.computeIfAbsent(withoutRack(host), name -> new ArrayList<>());
        changes.add(new Change(startMillis, size.memoryMb(), size.vcores()));
        changes.add(new Change(endMillis, -size.memoryMb(), -size.vcores()));
    }

    /** Some traces write {@code /rack/host}. */
    private static String withoutRack(String host) {
        return host.substring(host.lastIndexOf('/') + 1);
    }

    /** All hosts; empty if none is known. */
    List<Size> nodes() {
        long memoryMb = 0;
        int vcores = 0;
        for (List<Change> changes : hosts.values()) {
            // What ends at a time makes room for what starts then.
            changes.sort(Comparator.comparingLong(Change::millis).thenComparingLong(Change::memoryMb));
            long usedMb = 0;
            int used = 0;
            for (Change change : changes) {
                usedMb += change.memoryMb();
                used += change.vcores();
                memoryMb = Math.max(memoryMb, usedMb);
                vcores = Math.max(vcores, used);
            }
        }
        return memoryMb == 0 ? List.of() : Collections.nCopies(hosts.size(), new Size(memoryMb, vcores));
    }
}
