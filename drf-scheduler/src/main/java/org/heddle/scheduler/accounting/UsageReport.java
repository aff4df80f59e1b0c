// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.scheduler.accounting.UsageQuery.Dimension;

/**
 * Usage added up by the columns of a query.
 *
 * @param resources the resource types that were used, sorted by name, but memory and cores first
 * @param lines the largest user of the first resource first; by time where a column is a time
 */
public record UsageReport(UsageQuery query, List<String> resources, List<Line> lines) {
    private static final String MEMORY = "memory-mb";
    private static final String CORES = "vcores";

    /**
     * One line.
     *
     * @param key the values of the columns
     * @param resourceSeconds for each resource type, the amount held times the seconds for which it was held; memory in
     *     MiB
     * @param applications how many different ones
     * @param containers containers that ended
     * @param preempted those of them that were preempted
     */
    public record Line(
            List<String> key, Map<String, Double> resourceSeconds, int applications, long containers, long preempted) {
        /** Seconds of one resource type; 0 if it was not used. */
        public double seconds(String resource) {
            return resourceSeconds.getOrDefault(resource, 0.0);
        }
    }

    private static final class Sum {
        private final Map<String, Long> millis = new HashMap<>();
        private final Set<String> applications = new HashSet<>();
        private long containers;
        private long preempted;
    }

    public UsageReport {
        resources = List.copyOf(resources);
        lines = List.copyOf(lines);
    }

    /** Adds up hours one by one, so that they need not be in memory together. */
    public static final class Builder {
        private final UsageQuery query;
        private final Map<List<String>, Sum> sums = new HashMap<>();

        public Builder(UsageQuery query) {
            this.query = query;
        }

        /** Adds an hour; it is ignored if it does not begin within the query's time. */
        public void add(HourlyUsage hour) {
            if (hour.startMillis() < query.fromMillis() || hour.startMillis() >= query.toMillis()) {
                return;
            }
            String day = Instant.ofEpochMilli(hour.startMillis())
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate()
                    .toString();
            for (UsageRow row : hour.rows()) {
                List<String> key = query.by().stream()
                        .map(column -> value(column, row, day))
                        .toList();
                Sum sum = sums.computeIfAbsent(key, k -> new Sum());
                row.resourceMillis().forEach((resource, millis) -> sum.millis.merge(resource, millis, Long::sum));
                sum.applications.add(row.application());
                sum.containers += row.containers();
                sum.preempted += row.preempted();
            }
        }

        private static String value(Dimension column, UsageRow row, String day) {
            return switch (column) {
                case MONTH -> day.substring(0, "2026-11".length());
                case DAY -> day;
                case QUEUE -> row.queue();
                case USER -> row.user();
                case TYPE -> row.type();
                case APPLICATION -> row.application();
                case NAME -> row.name();
            };
        }

        /** The report of all that was added. */
        public UsageReport build() {
            Set<String> resources = new TreeSet<>(Comparator.comparing((String name) -> !name.equals(MEMORY))
                    .thenComparing(name -> !name.equals(CORES))
                    .thenComparing(name -> name));
            List<Line> lines = new ArrayList<>();
            sums.forEach((key, sum) -> {
                Map<String, Double> seconds = new TreeMap<>();
                sum.millis.forEach((resource, millis) -> seconds.put(resource, millis / 1000.0));
                resources.addAll(seconds.keySet());
                lines.add(new Line(key, seconds, sum.applications.size(), sum.containers, sum.preempted));
            });
            lines.sort(order(new ArrayList<>(resources)));
            return new UsageReport(query, new ArrayList<>(resources), lines);
        }

        private Comparator<Line> order(List<String> resources) {
            Comparator<Line> byKey = Comparator.comparing(line -> String.join("\0", line.key()));
            boolean overTime =
                    query.by().contains(Dimension.MONTH) || query.by().contains(Dimension.DAY);
            if (overTime || resources.isEmpty()) {
                return byKey;
            }
            return Comparator.comparingDouble((Line line) -> -line.seconds(resources.get(0)))
                    .thenComparing(byKey);
        }
    }
}
