// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.heddle.benchmarks.experiment.Curve;

/**
 * What was seen of a cluster that frameworks shared.
 *
 * @param samples in their order
 */
record ShareHistory(List<ShareSample> samples) {
    /** The part of its fair share from which on a framework has got it. */
    static final double NEARLY = 0.9;

    /** Samples come once a second, so the shares of shorter phases say little. */
    static final int LEAST_SECONDS = 5;

    static final String IN_USE = "cluster in use";
    private static final Pattern LINE = Pattern.compile("at \\S+ s:( \\S+)+");
    private static final Pattern BETWEEN_NUMBERS = Pattern.compile("[^0-9.]+");

    /**
     * The time in which the same frameworks had an application, in one piece or in several.
     *
     * @param seconds all together
     * @param shares means
     */
    record Phase(Set<Framework> present, double seconds, Map<Framework, Double> shares) {
        /** The names of the frameworks. */
        String title() {
            List<String> names = present.stream().map(Framework::title).toList();
            int last = names.size() - 1;
            return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
        }

        /** The part of the cluster that was in use. */
        double inUse() {
            return shares.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    ShareHistory {
        samples = List.copyOf(samples);
    }

    /** All phases with a framework, in the order in which they began. A sample counts until the next one. */
    List<Phase> phases() {
        Map<Set<Framework>, List<Integer>> samplesOfPhases = new LinkedHashMap<>();
        for (int i = 0; i + 1 < samples.size(); i++) {
            Set<Framework> present = samples.get(i).present();
            if (!present.isEmpty()) {
                samplesOfPhases
                        .computeIfAbsent(present, frameworks -> new ArrayList<>())
                        .add(i);
            }
        }
        return samplesOfPhases.entrySet().stream()
                .map(phase -> phase(phase.getKey(), phase.getValue()))
                .toList();
    }

    private Phase phase(Set<Framework> present, List<Integer> numbers) {
        double seconds = numbers.stream().mapToDouble(this::lasts).sum();
        Map<Framework, Double> shares = new EnumMap<>(Framework.class);
        for (int i : numbers) {
            double part = lasts(i) / seconds;
            samples.get(i).shares().forEach((framework, share) -> shares.merge(framework, part * share, Double::sum));
        }
        return new Phase(present, seconds, shares);
    }

    private double lasts(int number) {
        return samples.get(number + 1).second() - samples.get(number).second();
    }

    /**
     * How long a framework waits for its fair share: seconds from the first sample with an application of it until it
     * has {@link #NEARLY} of what is fair then. The longest of these times; infinite if the framework left before.
     */
    double slowestArrival(Framework framework) {
        double slowest = 0;
        double waitsSince = Double.NaN;
        boolean wasPresent = false;
        for (ShareSample sample : samples) {
            boolean present = sample.present().contains(framework);
            if (!present && !Double.isNaN(waitsSince)) {
                return Double.POSITIVE_INFINITY;
            }
            if (present && !wasPresent) {
                waitsSince = sample.second();
            }
            if (present && sample.share(framework) >= NEARLY * sample.fairShare(framework)) {
                slowest = Double.isNaN(waitsSince) ? slowest : Math.max(slowest, sample.second() - waitsSince);
                waitsSince = Double.NaN;
            }
            wasPresent = present;
        }
        return Double.isNaN(waitsSince) ? slowest : Double.POSITIVE_INFINITY;
    }

    /**
     * Why this does not show how all frameworks share the cluster, as a sentence; empty if it does. They do if all of
     * them have an application for {@link #LEAST_SECONDS}, and each has some of the cluster meanwhile.
     */
    Optional<String> problem() {
        Optional<Phase> together = phases().stream()
                .filter(phase -> phase.present().size() == Framework.values().length)
                .findFirst();
        double seconds = together.map(Phase::seconds).orElse(0.0);
        if (seconds < LEAST_SECONDS) {
            return Optional.of(
                    String.format(Locale.ROOT, "All frameworks had an application together for %.1f s only.", seconds));
        }
        for (Framework framework : Framework.values()) {
            if (together.orElseThrow().shares().getOrDefault(framework, 0.0) <= 0) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "%s had nothing of the cluster in the %.1f s in which all frameworks had an application.",
                        framework.title(),
                        seconds));
            }
        }
        return Optional.empty();
    }

    /** A line for each sample, which {@link #curves} reads: second, shares in percent, and their sum. */
    List<String> lines() {
        return samples.stream().map(ShareHistory::line).toList();
    }

    private static String line(ShareSample sample) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "at %.1f s:", sample.second()));
        for (Framework framework : Framework.values()) {
            line.append(percent(sample.share(framework)));
        }
        return line.append(percent(sample.inUse())).toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, " %.1f", 100 * share);
    }

    /** The shares over time in percent, from what {@link #lines} has printed; other lines do not matter. */
    static List<Curve> curves(String plot, List<String> printed) {
        List<List<Double>> rows = printed.stream()
                .filter(line -> LINE.matcher(line).matches())
                .map(ShareHistory::numbers)
                .toList();
        List<String> titles = new ArrayList<>();
        for (Framework framework : Framework.values()) {
            titles.add(framework.title());
        }
        titles.add(IN_USE);
        return IntStream.range(0, titles.size())
                .mapToObj(i -> new Curve(plot, titles.get(i), column(rows, 0), column(rows, i + 1)))
                .toList();
    }

    private static List<Double> numbers(String line) {
        return BETWEEN_NUMBERS
                .splitAsStream(line)
                .filter(word -> !word.isEmpty())
                .map(Double::valueOf)
                .toList();
    }

    private static List<Double> column(List<List<Double>> rows, int number) {
        return rows.stream().map(row -> row.get(number)).toList();
    }
}
