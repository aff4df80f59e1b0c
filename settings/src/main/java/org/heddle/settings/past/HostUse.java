// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.past;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster as its past shows it: the hosts that ran something, and the most that ran on one of them at once. */
public final class HostUse {
    /** From a time on, so much more is used on a host; less if it is negative. */
    private static final class Change {
        private final long millis;
        private final long[] amounts;

        Change(long millis, long[] amounts) {
            this.millis = millis;
            this.amounts = amounts;
        }
    }

    private final Map<String, List<Change>> hosts = new HashMap<>();

    /**
     * Something that ran on a host.
     *
     * @param host as the past names it, also {@code /rack/host}; what is not known does not count
     * @param amounts what it used, always of the same kinds, for example memory and vcores
     */
    public void add(@Nullable String host, long startMillis, long endMillis, long... amounts) {
        if (host == null || host.isBlank() || host.equals("null")) {
            return;
        }
        List<Change> changes =
                hosts.computeIfAbsent(host.substring(host.lastIndexOf('/') + 1), name -> new ArrayList<>());
        changes.add(new Change(startMillis, amounts.clone()));
        long[] less = new long[amounts.length];
        for (int i = 0; i < less.length; i++) {
            less[i] = -amounts[i];
        }
        changes.add(new Change(endMillis, less));
    }

    /** How many hosts are known. */
    public int hosts() {
        return hosts.size();
    }

    /** The most of an amount that was used at once on one host; 0 if no host is known. */
    public long most(int amount) {
        long most = 0;
        for (List<Change> changes : hosts.values()) {
            // What ends at a time makes room for what starts then.
            changes.sort(Comparator.<Change>comparingLong(change -> change.millis)
                    .thenComparingLong(change -> change.amounts[amount]));
            long used = 0;
            for (Change change : changes) {
                used += change.amounts[amount];
                most = Math.max(most, used);
            }
        }
        return most;
    }
}
