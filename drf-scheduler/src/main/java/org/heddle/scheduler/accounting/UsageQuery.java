// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a report covers. All times are UTC.
 *
 * @param by the columns by which usage is added up; never empty
 * @param fromMillis start of the first hour, ms since 1970
 * @param toMillis end of the last hour
 */
public record UsageQuery(List<Dimension> by, long fromMillis, long toMillis) {
    private static final int MOST_DAYS = 800;

    /** A column by which usage can be added up. */
    public enum Dimension {
        MONTH,
        DAY,
        QUEUE,
        USER,
        TYPE,
        APPLICATION,
        /** The name under which applications were submitted. */
        NAME;

        /** Its name in queries and reports. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public UsageQuery {
        by = List.copyOf(by);
    }

    /**
     * Reads the parameters of a request; null where one is absent.
     *
     * @param by names of columns, separated by commas; absent: user
     * @param month a month as 2026-11; absent, without from and to: the present one
     * @param from first day, as 2026-11-01
     * @param to last day, as 2026-11-30; absent: the day of now
     * @throws IllegalArgumentException one sentence that names the parameter and its value
     */
    public static UsageQuery parse(
            @Nullable String by, @Nullable String month, @Nullable String from, @Nullable String to, long nowMillis) {
        LocalDate today = Instant.ofEpochMilli(nowMillis).atZone(ZoneOffset.UTC).toLocalDate();
        LocalDate first;
        LocalDate last;
        if (from == null && to == null) {
            YearMonth chosen = month == null ? YearMonth.from(today) : month(month);
            first = chosen.atDay(1);
            last = chosen.atEndOfMonth();
        } else if (month != null) {
            throw new IllegalArgumentException("month cannot be given together with from or to; leave one of them out");
        } else if (from == null) {
            throw new IllegalArgumentException("to is given without from; add from, the first day");
        } else {
            first = day("from", from);
            last = to == null ? today : day("to", to);
        }
        if (last.isBefore(first)) {
            throw new IllegalArgumentException("the last day, " + last + ", is before the first one, " + first);
        }
        if (first.plusDays(MOST_DAYS).isBefore(last)) {
            throw new IllegalArgumentException(
                    first + " to " + last + " is too long; a report covers at most " + MOST_DAYS + " days");
        }
        return new UsageQuery(columns(by == null ? "user" : by), millis(first), millis(last.plusDays(1)));
    }

    private static long millis(LocalDate day) {
        return day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    }

    private static YearMonth month(String text) {
        try {
            return YearMonth.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("month is '" + text + "'; write it as 2026-11", e);
        }
    }

    private static LocalDate day(String parameter, String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(parameter + " is '" + text + "'; write the day as 2026-11-30", e);
        }
    }

    private static List<Dimension> columns(String text) {
        List<Dimension> columns = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            Dimension column = Arrays.stream(Dimension.values())
                    .filter(each -> each.key().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("by contains '" + name.strip() + "'; there are "
                            + Arrays.stream(Dimension.values())
                                    .map(Dimension::key)
                                    .collect(Collectors.joining(", "))));
            if (!columns.contains(column)) {
                columns.add(column);
            }
        }
        return columns;
    }
}
