// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.emulated;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.SimNode;
import org.heddle.late.sim.Simulation;

/**
 * The same scenario in the emulated cluster and on the virtual clock, modes taking turns. Prints a table: medians,
 * spreads, and how far the two are apart.
 */
public final class EmulationAgreement {
    private static final List<Mode> MODES = List.of(Mode.NONE, Mode.STOCK, Mode.STOCK_1S, Mode.HEDDLE);
    private static final int SEEDS = 11;

    private EmulationAgreement() {}

    /** Ten nodes of two slots, one of them five times slower, 36 maps of eight seconds, reports every second. */
    static Scenario scenario() {
        return Scenario.maps("one slow node of ten", 10, 2, 36, 6_500, i -> SimNode.of(i == 3 ? 5 : 1))
                .noise(0)
                .reporting(1_000);
    }

    /** @param args number of repetitions (default 5) */
    public static void main(String[] args) throws Exception {
        int repetitions = args.length == 0 ? 5 : Integer.parseInt(args[0]);
        Map<String, List<Double>> measured = new LinkedHashMap<>();
        Path directory = Files.createTempDirectory("heddle-emulated-");
        try (EmulatedCluster cluster = new EmulatedCluster(scenario(), directory)) {
            cluster.run(Mode.NONE); // the first job pays for what later ones find ready
            for (int i = 0; i < repetitions; i++) {
                for (Mode mode : MODES) {
                    double seconds = cluster.run(mode);
                    System.err.printf(Locale.ROOT, "%d %s %.1f s%n", i + 1, mode.name(), seconds);
                    measured.computeIfAbsent(mode.name(), name -> new ArrayList<>())
                            .add(seconds);
                }
            }
        }
        Files.deleteIfExists(directory);
        System.out.println("| mode | emulated, median s | spread | virtual clock, median s | spread | apart |");
        System.out.println("|---|---|---|---|---|---|");
        for (Mode mode : MODES) {
            double[] real = sorted(measured.getOrDefault(mode.name(), List.of()));
            double[] virtual = sorted(LongStream.rangeClosed(1, SEEDS)
                    .mapToObj(seed -> seconds(Simulation.run(scenario(), mode, seed)))
                    .toList());
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f to %.1f | %.1f | %.1f to %.1f | %+.0f %% |%n",
                    mode.name(),
                    real[real.length / 2],
                    real[0],
                    real[real.length - 1],
                    virtual[virtual.length / 2],
                    virtual[0],
                    virtual[virtual.length - 1],
                    100 * (real[real.length / 2] / virtual[virtual.length / 2] - 1));
        }
    }

    /** As in the cluster: from the start of the first attempt. */
    private static double seconds(Outcome outcome) {
        long begin = outcome.runs().stream().mapToLong(Outcome.Run::start).min().orElseThrow();
        long end = outcome.runs().stream().mapToLong(Outcome.Run::end).max().orElseThrow();
        return (end - begin) / 1000.0;
    }

    private static double[] sorted(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
