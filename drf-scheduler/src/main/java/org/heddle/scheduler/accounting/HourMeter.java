// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the usage of one hour. Not safe for several threads. */
public final class HourMeter {
    private record Key(String queue, String application) {}

    /** The sums of one application in one queue. Hot: each container that ends is added under the scheduler's lock. */
    public static final class Entry {
        private final String queue;
        private final String user;
        private final String application;
        private final String name;
        private final String type;
        private String[] resources = {};
        /** For each of the resources. */
        private long[] resourceMillis = {};

        private long containers;
        private long preempted;

        private Entry(String queue, String user, String application, String name, String type) {
            this.queue = queue;
            this.user = user;
            this.application = application;
            this.name = name;
            this.type = type;
        }

        /** Adds an amount of a resource that was held for some milliseconds. */
        public void add(String resource, long amount, long millis) {
            if (amount > 0 && millis > 0) {
                add(resource, amount * millis);
            }
        }

        private void add(String resource, long more) {
            int i = 0;
            while (i < resources.length && !resources[i].equals(resource)) {
                i++;
            }
            if (i == resources.length) {
                resources = Arrays.copyOf(resources, i + 1);
                resourceMillis = Arrays.copyOf(resourceMillis, i + 1);
                resources[i] = resource;
            }
            resourceMillis[i] += more;
        }

        /** Whether it has the sums of this queue. */
        public boolean isIn(String path) {
            return queue.equals(path);
        }

        /** Counts a container that ended. */
        public void ended(boolean wasPreempted) {
            containers++;
            preempted += wasPreempted ? 1 : 0;
        }

        private UsageRow row() {
            Map<String, Long> sums = new HashMap<>();
            for (int i = 0; i < resources.length; i++) {
                sums.put(resources[i], resourceMillis[i]);
            }
            return new UsageRow(queue, user, application, name, type, sums, containers, preempted);
        }
    }

    /** Describes an application that has no row yet. */
    public interface Describer {
        /** Its name and its type. */
        String[] nameAndType();
    }

    private final long startMillis;
    private final Map<Key, Entry> entries = new HashMap<>();

    /** @param begun what is known of this hour already */
    public HourMeter(HourlyUsage begun) {
        startMillis = begun.startMillis();
        for (UsageRow row : begun.rows()) {
            Entry entry = new Entry(row.queue(), row.user(), row.application(), row.name(), row.type());
            row.resourceMillis().forEach(entry::add);
            entry.containers = row.containers();
            entry.preempted = row.preempted();
            entries.put(new Key(row.queue(), row.application()), entry);
        }
    }

    /** The start of the hour, ms since 1970. */
    public long startMillis() {
        return startMillis;
    }

    /** The end of the hour, ms since 1970. */
    public long endMillis() {
        return startMillis + HourlyUsage.HOUR_MILLIS;
    }

    /** The sums of an application. */
    public Entry of(String queue, String user, String application, Describer describer) {
        return entries.computeIfAbsent(new Key(queue, application), key -> {
            String[] nameAndType = describer.nameAndType();
            return new Entry(queue, user, application, nameAndType[0], nameAndType[1]);
        });
    }

    /** A copy of the sums; applications that have used nothing are left out. */
    public HourlyUsage copy(long accountedUntilMillis) {
        List<UsageRow> rows = new ArrayList<>(entries.size());
        for (Entry entry : entries.values()) {
            if (entry.resources.length > 0 || entry.containers > 0) {
                rows.add(entry.row());
            }
        }
        return new HourlyUsage(startMillis, accountedUntilMillis, rows);
    }
}
