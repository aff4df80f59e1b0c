// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.TaskKind;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.SimNode;
import org.heddle.late.sim.Simulation;

/**
 * Prints the processor time of each scan, beside that of the stock speculator in the same program, and the heap per
 * task.
 */
public final class ScanCost {
    private ScanCost() {}

    /** @param args numbers of maps; a fifth as many slots run them (default 5000 50000) */
    public static void main(String[] args) {
        String[] sizes = args.length == 0 ? new String[] {"5000", "50000"} : args;
        System.out.println("| maps | slots | speculator | passes | mean ms | median | 99 % | first | worst |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (String size : sizes) {
            int maps = Integer.parseInt(size);
            LongFunction<Scenario> scenario = seed ->
                    Scenario.maps("slow", maps / 10, 2, maps, 60_000, i -> SimNode.of((i + seed) % 10 == 3 ? 5 : 1));
            print(maps, scenario.apply(1), Mode.STOCK_1S);
            print(maps, scenario.apply(1), Mode.HEDDLE);
            print(maps, scenario.apply(2), Mode.STOCK_1S);
            print(maps, scenario.apply(2), Mode.HEDDLE);
        }
        System.out.printf(Locale.ROOT, "%nheap of the policy for each task: %d bytes%n", heapPerTask(50_000));
    }

    private static void print(int maps, Scenario scenario, Mode mode) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        List<Long> nanos = Simulation.times(scenario, mode, 1, threads::getCurrentThreadCpuTime);
        double[] sorted = nanos.stream().mapToDouble(n -> n / 1e6).sorted().toArray();
        double mean = nanos.stream().mapToDouble(n -> n / 1e6).average().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "| %d | %d | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
                maps,
                maps / 5,
                mode.name(),
                sorted.length,
                mean,
                sorted[sorted.length / 2],
                sorted[(int) (0.99 * (sorted.length - 1))],
                nanos.get(0) / 1e6,
                sorted[sorted.length - 1]);
    }

    /** All tasks have run once, with ten reports each; a tenth of them still runs. */
    private static long heapPerTask(int tasks) {
        long before = usedHeap();
        AttemptRegistry registry = new AttemptRegistry();
        registry.total(TaskKind.MAP, tasks);
        for (int i = 0; i < tasks; i++) {
            String task = "task_1000000000000_0001_m_" + i;
            String attempt = "attempt_1000000000000_0001_m_" + i + "_0";
            registry.started(TaskKind.MAP, task, attempt, "node" + i % 1_000, i);
            for (int report = 1; report <= 10; report++) {
                registry.reported(attempt, report / 11.0, i + 6_000L * report);
            }
            if (i % 10 != 0) {
                registry.ended(attempt, i + 66_000L, true);
            }
        }
        long bytes = (usedHeap() - before) / tasks;
        if (registry.succeeded(TaskKind.MAP) == 0) {
            throw new IllegalStateException("no task has ended");
        }
        return bytes;
    }

    private static long usedHeap() {
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
