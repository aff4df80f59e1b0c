// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.whatif.outcome.Outcome;

/**
 * A comparison as one HTML page without external parts: the tables, the utilisation of all schedulers, and the shares
 * of the queues over time under each. Charts are drawn by the uPlot of the scheduler's pages.
 */
public final class HtmlReport {
    private static final String PAGES = "/org/heddle/scheduler/http/static/vendor/";
    /** A chart shows so many queues; those with the smallest shares are summed up. */
    private static final int MOST_QUEUES = 9;

    private static final String OTHERS = "all others";
    private static final double SECONDS = 1_000;

    /**
     * One chart.
     *
     * @param beginMillis when its first interval begins, in milliseconds since 1970
     * @param lines parts of the cluster, 0 to 1, by name
     */
    private record Chart(String title, long beginMillis, long intervalMillis, Map<String, double[]> lines) {}

    private HtmlReport() {}

    /** The page. */
    public static String page(Comparison comparison) throws IOException {
        StringBuilder html = new StringBuilder();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>What if: ")
                .append(escape(comparison.source()))
                .append("</title>\n<style>\n")
                .append(resource(PAGES + "uplot.css"))
                .append(resource("whatif.css"))
                .append("</style></head>\n<body>\n<h1>What if the cluster had had another scheduler?</h1>\n");
        paragraphs(Notes.subject(comparison), html);
        List<Table> tables = Tables.of(comparison);
        html.append(tables.get(0).html(HtmlReport::escape));
        html.append(
                "<h2>shares over time, UTC</h2>\n<div id=\"charts\"></div>\n<noscript>The charts need JavaScript.</noscript>\n");
        tables.stream().skip(1).forEach(table -> html.append(table.html(HtmlReport::escape)));
        html.append("<h2>notes</h2>\n");
        paragraphs(Notes.remarks(comparison), html);
        return html.append("<script>\n")
                .append(resource(PAGES + "uplot.js"))
                .append("\nconst WHATIF = ")
                .append(json(charts(comparison)))
                .append(";\n")
                .append(resource("whatif.js"))
                .append("</script>\n</body></html>\n")
                .toString();
    }

    private static void paragraphs(List<String> lines, StringBuilder html) {
        lines.forEach(line -> html.append("<p>").append(escape(line)).append("</p>\n"));
    }

    private static List<Chart> charts(Comparison comparison) {
        long begin = comparison.history().beginMillis();
        List<Outcome> outcomes = comparison.outcomes();
        Map<String, double[]> all = new LinkedHashMap<>();
        outcomes.forEach(outcome -> all.put(outcome.scheduler(), outcome.utilisation()));
        List<Chart> charts = new ArrayList<>();
        charts.add(new Chart("all queues", begin, outcomes.get(0).intervalMillis(), all));
        for (Outcome outcome : outcomes) {
            charts.add(new Chart(outcome.scheduler(), begin, outcome.intervalMillis(), largest(outcome.shares())));
        }
        return charts;
    }

    /** The queues with the largest shares, by name; the sum of all others. */
    private static Map<String, double[]> largest(Map<String, double[]> shares) {
        List<String> named = shares.entrySet().stream()
                .sorted((one, two) -> Double.compare(sum(two.getValue()), sum(one.getValue())))
                .limit(MOST_QUEUES)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        Map<String, double[]> lines = new LinkedHashMap<>();
        named.forEach(name -> lines.put(name, shares.getOrDefault(name, new double[0])));
        shares.forEach((name, values) -> {
            if (!lines.containsKey(name)) {
                lines.merge(OTHERS, values, HtmlReport::plus);
            }
        });
        return lines;
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }

    private static double[] plus(double[] one, double[] two) {
        double[] sum = Arrays.copyOf(one, Math.max(one.length, two.length));
        for (int i = 0; i < two.length; i++) {
            sum[i] += two[i];
        }
        return sum;
    }

    private static String json(List<Chart> charts) {
        return charts.stream().map(HtmlReport::json).collect(Collectors.joining(",\n", "[", "]"));
    }

    private static String json(Chart chart) {
        String lines = chart.lines().entrySet().stream()
                .map(line -> "[" + quoted(line.getKey()) + ", "
                        + Arrays.stream(line.getValue())
                                .mapToObj(share -> String.format(Locale.ROOT, "%.4f", share))
                                .collect(Collectors.joining(",", "[", "]"))
                        + "]")
                .collect(Collectors.joining(",\n", "[", "]"));
        return String.format(
                Locale.ROOT,
                "{\"title\": %s, \"begin\": %.3f, \"interval\": %.3f, \"lines\": %s}",
                quoted(chart.title()),
                chart.beginMillis() / SECONDS,
                chart.intervalMillis() / SECONDS,
                lines);
    }

    /** A text in a script: JSON that does not end the script, whatever the name of a queue is. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one < ' ' || one == '"' || one == '\\' || one == '<' || one == '>' || one == '&' || one > '~') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
            } else {
                json.append(one);
            }
        }
        return json.append('"').toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(
                        "the page cannot be written, for " + name + " is not in the jars; install Heddle anew");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
