// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.scheduler.accounting.UsageQuery.Dimension;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.accounting.UsageReport.Line;

/** A usage report as JSON, as CSV (RFC 4180) and as a table for terminals. */
final class UsageResponse {
    static final String MEMORY = "memory-mb";
    private static final double MIB_IN_GIB = 1024;
    private static final double HOUR_SECONDS = 3600;
    private static final List<String> COUNTS = List.of("applications", "containers", "preempted");

    private UsageResponse() {}

    /** The amount times hours: GiB hours for memory, else units times hours. */
    static double hours(UsageReport.Line line, String resource) {
        double hours = line.seconds(resource) / HOUR_SECONDS;
        return resource.equals(MEMORY) ? hours / MIB_IN_GIB : hours;
    }

    /** How {@link #hours} are called. */
    static String title(String resource) {
        return resource.equals(MEMORY) ? "memory, GiB hours" : resource + ", hours";
    }

    /** The first and the last day, UTC. */
    static String days(UsageReport report) {
        LocalDate first = day(report.query().fromMillis());
        LocalDate last = day(report.query().toMillis() - 1);
        return first + " to " + last;
    }

    private static LocalDate day(long millis) {
        return Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC).toLocalDate();
    }

    static String columns(UsageReport report) {
        return report.query().by().stream().map(Dimension::key).collect(Collectors.joining(", "));
    }

    private record Answer(long fromMillis, long toMillis, List<Map<String, Object>> usage) {}

    static Object json(UsageReport report) {
        List<Map<String, Object>> usage = new ArrayList<>();
        for (Line line : report.lines()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < line.key().size(); i++) {
                fields.put(report.query().by().get(i).key(), line.key().get(i));
            }
            fields.put("resourceSeconds", line.resourceSeconds());
            fields.put("applications", line.applications());
            fields.put("containers", line.containers());
            fields.put("preempted", line.preempted());
            usage.add(fields);
        }
        return new Answer(report.query().fromMillis(), report.query().toMillis(), usage);
    }

    static String csv(UsageReport report) {
        List<String> head = new ArrayList<>();
        report.query().by().forEach(column -> head.add(column.key()));
        report.resources().forEach(resource -> head.add(resource + "-seconds"));
        head.addAll(COUNTS);
        StringBuilder text = new StringBuilder(row(head));
        for (Line line : report.lines()) {
            List<String> cells = new ArrayList<>(line.key());
            report.resources().forEach(resource -> cells.add(decimal(line.seconds(resource))));
            cells.addAll(counts(line));
            text.append(row(cells));
        }
        return text.toString();
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static List<String> counts(Line line) {
        return List.of(
                Integer.toString(line.applications()),
                Long.toString(line.containers()),
                Long.toString(line.preempted()));
    }

    private static String row(List<String> cells) {
        return cells.stream().map(UsageResponse::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    /** Users choose the names of applications: a spreadsheet must not take one for a formula. */
    private static String cell(String text) {
        String safe = !text.isEmpty() && "=+-@\t".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quoted ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    static String table(UsageReport report) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>();
        report.query().by().forEach(column -> head.add(column.key()));
        report.resources().forEach(resource -> head.add(title(resource)));
        head.addAll(COUNTS);
        rows.add(head);
        for (Line line : report.lines()) {
            List<String> cells = new ArrayList<>(line.key());
            report.resources()
                    .forEach(resource -> cells.add(String.format(Locale.ROOT, "%.2f", hours(line, resource))));
            cells.addAll(counts(line));
            rows.add(cells);
        }
        StringBuilder text = new StringBuilder();
        text.append("Usage by ")
                .append(columns(report))
                .append(", ")
                .append(days(report))
                .append(" (UTC)\n");
        if (report.lines().isEmpty()) {
            return text.append("nothing was used\n").toString();
        }
        int keys = report.query().by().size();
        int[] widths = new int[head.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String format = i < keys ? "%-" + widths[i] + "s  " : "%" + widths[i] + "s  ";
                line.append(String.format(Locale.ROOT, format, row.get(i)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
