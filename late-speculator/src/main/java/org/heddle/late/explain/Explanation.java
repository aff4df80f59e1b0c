// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.explain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The decisions of one job by task, in the order of their times. Lines that are none are skipped, as those which
 * {@code yarn logs} adds.
 */
final class Explanation {
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|([^,}\"]*))");
    private static final double MILLIS = 1_000.0;

    private final Map<String, List<Map<String, String>>> tasks = new LinkedHashMap<>();
    private Map<String, String> job = Map.of();
    private long firstMillis = -1;
    private int lines;

    private Explanation() {}

    /** @throws IOException if the lines cannot be read */
    static Explanation of(BufferedReader lines) throws IOException {
        Explanation explanation = new Explanation();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            explanation.add(line.strip());
        }
        return explanation;
    }

    private void add(String line) {
        if (!line.startsWith("{") || !line.endsWith("}")) {
            return;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher field = FIELD.matcher(line);
        while (field.find()) {
            String quoted = field.group(2);
            fields.put(String.valueOf(field.group(1)), quoted == null ? String.valueOf(field.group(3)) : quoted);
        }
        if (fields.containsKey("format")) {
            job = fields;
        } else if (fields.containsKey("task") && fields.containsKey("reason") && millis(fields, "t") >= 0) {
            if (firstMillis < 0) {
                firstMillis = millis(fields, "t");
            }
            tasks.computeIfAbsent(text(fields, "task"), task -> new ArrayList<>())
                    .add(fields);
            lines++;
        }
    }

    boolean isEmpty() {
        return lines == 0;
    }

    /** Prints the backups with their reasons, the slow tasks without one, and what was decided when about each. */
    void print(PrintWriter out) {
        List<String> backedUp = new ArrayList<>();
        List<String> slow = new ArrayList<>();
        tasks.forEach((task, decisions) -> {
            if (decisions.stream().anyMatch(Explanation::isLaunch)) {
                backedUp.add(task);
            } else if (decisions.stream().anyMatch(Explanation::isSlow)) {
                slow.add(task);
            }
        });
        out.printf(
                Locale.ROOT,
                "%s, profile %s%s: %d tasks had backups, %d slow ones had none. Times count from the first decision.%n",
                job.getOrDefault("job", "a job"),
                job.getOrDefault("profile", "unknown"),
                "true".equals(job.get("dryRun")) ? " (dry run: no backup has started)" : "",
                backedUp.size(),
                slow.size());
        print(out, "Backups", backedUp);
        print(out, "Slow tasks without a backup", slow);
        List<String> kinds = new ArrayList<>(List.of("MAP", "REDUCE"));
        kinds.retainAll(tasks.keySet());
        print(out, "All tasks of a kind", kinds);
    }

    private void print(PrintWriter out, String title, List<String> of) {
        if (of.isEmpty()) {
            return;
        }
        out.printf(Locale.ROOT, "%n%s%n", title);
        for (String task : of) {
            out.println("  " + task);
            tasks.getOrDefault(task, List.of()).forEach(decision -> out.println("    " + sentence(decision)));
        }
    }

    private String sentence(Map<String, String> decision) {
        StringBuilder text = new StringBuilder(seconds(millis(decision, "t") - firstMillis));
        if (decision.containsKey("node")) {
            text.append("  ").append(text(decision, "node"));
        }
        if (decision.containsKey("remainingMs") && decision.containsKey("freshMs")) {
            text.append(", ").append(left(decision)).append(" to go, ").append(seconds(millis(decision, "freshMs")));
            text.append(" afresh");
        }
        String reason = text(decision, "reason");
        return text.append(": ")
                .append(Reasons.inWords(reason))
                .append(" (")
                .append(reason)
                .append(')')
                .toString();
    }

    /** In the log null means that no end is expected. */
    private static String left(Map<String, String> decision) {
        long left = millis(decision, "remainingMs");
        return left < 0 ? "for ever" : seconds(left);
    }

    private static boolean isLaunch(Map<String, String> decision) {
        return "LAUNCH".equals(decision.get("action"));
    }

    private static boolean isSlow(Map<String, String> decision) {
        long fresh = millis(decision, "freshMs");
        long left = millis(decision, "remainingMs");
        boolean endless = "null".equals(decision.get("remainingMs"));
        return fresh >= 0 && (endless || left > fresh);
    }

    /** A number of milliseconds; -1 if there is none. */
    private static long millis(Map<String, String> fields, String name) {
        String text = text(fields, name);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / MILLIS);
    }
}
