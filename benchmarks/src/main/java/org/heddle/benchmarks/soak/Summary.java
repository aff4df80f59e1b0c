// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.report.Charts;

/** What came of a soak: what was lost, what each daemon held at the beginning and at the end, shares, and pictures. */
final class Summary {
    /** A process younger than this is still being loaded and compiled. */
    private static final double WARM_SECONDS = 120;
    /** What a process may hold more than when it was warm: a third, and some. */
    private static final double FACTOR = 1.33;

    private static final double HEAP_SLACK_MB = 10;
    private static final double COUNT_SLACK = 25;

    private final Duration length;
    private final List<Lane> lanes;
    private final Map<String, Integer> kills;
    private final Probe probe;
    private final ShareJudge judge;

    Summary(Duration length, List<Lane> lanes, Map<String, Integer> kills, Probe probe, ShareJudge judge) {
        this.length = length;
        this.lanes = lanes;
        this.kills = kills;
        this.probe = probe;
        this.judge = judge;
    }

    /** One sentence each; empty if all is well. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (Lane lane : lanes) {
            problems.addAll(lane.problems());
            if (lane.done() == 0) {
                problems.add(lane.name() + " ended nothing");
            }
        }
        leaks("heap in MB", Probe.Reading::heapMb, HEAP_SLACK_MB, problems);
        leaks("threads", Probe.Reading::threads, COUNT_SLACK, problems);
        leaks("open files", Probe.Reading::files, COUNT_SLACK, problems);
        problems.addAll(judge.problems());
        return problems;
    }

    /** A process, or the part of its life in which it was the active ResourceManager. */
    private record Life(long pid, boolean active) {}

    /** Of each life that was long enough, the last reading against the first one when it was warm. */
    private void leaks(String what, ToDoubleFunction<Probe.Reading> value, double slack, List<String> problems) {
        Map<Life, Probe.Reading> born = new LinkedHashMap<>();
        Map<Life, Probe.Reading> warm = new LinkedHashMap<>();
        Map<Life, Probe.Reading> last = new LinkedHashMap<>();
        for (Probe.Reading reading : probe.readings()) {
            Life life = new Life(reading.pid(), reading.active());
            Probe.Reading first = born.computeIfAbsent(life, any -> reading);
            if (reading.second() - first.second() >= WARM_SECONDS) {
                warm.putIfAbsent(life, reading);
                last.put(life, reading);
            }
        }
        warm.forEach((life, early) -> {
            double before = value.applyAsDouble(early);
            double after = value.applyAsDouble(last.getOrDefault(life, early));
            if (after > FACTOR * before + slack) {
                problems.add(String.format(
                        Locale.ROOT, "%s holds %.0f %s, and held %.0f", early.daemon(), after, what, before));
            }
        });
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("# Soak of ").append(length.toMinutes()).append(" minutes\n\n");
        text.append("| workload | ended well | lost | |\n|---|---|---|---|\n");
        for (Lane lane : lanes) {
            text.append(String.format(
                    "| %s | %d | %d | %s |%n",
                    lane.name(), lane.done(), lane.problems().size(), lane.note()));
        }
        text.append("\n| daemon | killed | heap, MB: first, last | threads | open files |\n|---|---|---|---|---|\n");
        for (String daemon : daemons()) {
            List<Probe.Reading> all = of(daemon);
            Probe.Reading first = all.get(0);
            Probe.Reading last = all.get(all.size() - 1);
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %.0f, %.0f | %d, %d | %d, %d |%n",
                    daemon,
                    kills.getOrDefault(daemon, 0),
                    first.heapMb(),
                    last.heapMb(),
                    first.threads(),
                    last.threads(),
                    first.files(),
                    last.files()));
        }
        text.append("\n| queue | looks while it waited and all daemons ran | share of the cluster | entitled |\n")
                .append("|---|---|---|---|\n");
        for (ShareJudge.Verdict verdict : judge.verdicts()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s |%n",
                    verdict.queue(),
                    verdict.looks(),
                    verdict.isJudged()
                            ? String.format(Locale.ROOT, "%.2f | %.2f", verdict.share(), verdict.entitled())
                            : "too few looks |"));
        }
        text.append('\n');
        List<String> problems = problems();
        text.append(problems.isEmpty() ? "No problem.\n" : "Problems:\n");
        problems.forEach(problem -> text.append("- ").append(problem).append('\n'));
        return text.toString();
    }

    private Set<String> daemons() {
        Set<String> names = new LinkedHashSet<>();
        probe.readings().forEach(reading -> names.add(reading.daemon()));
        return names;
    }

    private Set<String> queues() {
        Set<String> names = new LinkedHashSet<>();
        probe.shares().forEach(shares -> names.addAll(shares.queues().keySet()));
        return names;
    }

    private static double share(Probe.Shares shares, String queue) {
        Probe.Queue one = shares.queues().get(queue);
        return one == null ? 0 : 100 * one.share();
    }

    private List<Probe.Reading> of(String daemon) {
        return probe.readings().stream()
                .filter(reading -> reading.daemon().equals(daemon))
                .toList();
    }

    void write(Path directory) throws IOException {
        Files.writeString(
                directory.resolve("summary.md"),
                text() + "\n![heap](heap.png) ![threads](threads.png) ![files](files.png) ![shares](shares.png)\n",
                StandardCharsets.UTF_8);
        draw(directory, "heap", "Heap after a collection", "MB", Probe.Reading::heapMb);
        draw(directory, "threads", "Threads", "threads", Probe.Reading::threads);
        draw(directory, "files", "Open files", "files", Probe.Reading::files);
        List<Double> seconds = probe.shares().stream().map(Probe.Shares::second).toList();
        List<Curve> curves = queues().stream()
                .map(queue -> new Curve(
                        "shares",
                        queue,
                        seconds,
                        probe.shares().stream()
                                .map(shares -> share(shares, queue))
                                .toList()))
                .toList();
        if (!curves.isEmpty()) {
            png(directory, new Plot("shares", "Shares of the cluster", "seconds", "%", List.of(), curves));
        }
    }

    private void draw(Path directory, String name, String title, String unit, ToDoubleFunction<Probe.Reading> value)
            throws IOException {
        List<Curve> curves = daemons().stream()
                .map(daemon -> new Curve(
                        name,
                        daemon,
                        of(daemon).stream().map(Probe.Reading::second).toList(),
                        of(daemon).stream().map(value::applyAsDouble).toList()))
                .toList();
        png(directory, new Plot(name, title, "seconds", unit, List.of(), curves));
    }

    private static void png(Path directory, Plot plot) throws IOException {
        Files.write(directory.resolve(plot.name() + ".png"), Charts.png(plot));
    }
}
