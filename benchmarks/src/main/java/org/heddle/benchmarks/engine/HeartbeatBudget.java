// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link HeartbeatBenchmark} and {@link NodeSearchBenchmark} under the allocation profiler and fails when a
 * heartbeat or a search allocates.
 */
public final class HeartbeatBudget {
    /** Bytes for each heartbeat or search; the profiler's own noise stays below one. */
    private static final double BUDGET = 1;

    private HeartbeatBudget() {}

    /** Exits with 1 and one sentence for each benchmark over budget. */
    public static void main(String[] arguments) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(HeartbeatBenchmark.class.getName())
                .include(NodeSearchBenchmark.class.getName())
                .addProfiler(GCProfiler.class)
                .build();
        List<String> over = overBudget(new Runner(options).run());
        over.forEach(System.err::println);
        if (!over.isEmpty()) {
            System.exit(1);
        }
    }

    private static List<String> overBudget(Collection<RunResult> runs) {
        List<String> over = new ArrayList<>();
        for (RunResult run : runs) {
            Result<?> allocated = run.getSecondaryResults().get("gc.alloc.rate.norm");
            String name = run.getParams().getBenchmark();
            for (String parameter : run.getParams().getParamsKeys()) {
                name += " with " + run.getParams().getParam(parameter) + " " + parameter;
            }
            if (allocated == null) {
                over.add(name + " reported no allocation: the profiler did not run");
            } else if (allocated.getScore() >= BUDGET) {
                over.add(name + " allocates " + Math.round(allocated.getScore()) + " bytes a call, the budget is "
                        + Math.round(BUDGET) + ": look for what allocates in org.heddle.scheduler.engine");
            }
        }
        return over;
    }
}
