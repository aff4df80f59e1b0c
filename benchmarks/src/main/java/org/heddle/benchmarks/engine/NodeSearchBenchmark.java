// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.engine;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A search for a node, and the change of its room, in a cluster of which three quarters are in use. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class NodeSearchBenchmark {
    private static final long[] NODE = {131_072, 32};
    private static final long[] SMALL = {4_096, 1};
    private static final long[] LARGE = {131_072, 32};

    @Param({"1000", "10000"})
    private int nodes;

    private final ShareEngine engine = new ShareEngine(2, new DrfOrder(), () -> true);
    private final SplittableRandom random = new SplittableRandom(1);
    private RoomIndex<long[]> index = new RoomIndex<>(2, random);
    private ContainerSize small = sizeOf(SMALL);
    private ContainerSize large = sizeOf(LARGE);
    /** Handles of the nodes that got the last containers, as a ring. */
    private int[] last = {};

    private int at;

    private ContainerSize sizeOf(long[] need) {
        ContainerSize size =
                engine.setAsk(engine.addApplication(engine.root(), "a" + need[1], new double[] {1, 1}, 0), need, 1);
        if (size == null) {
            throw new IllegalStateException("an ask for one container has no size");
        }
        return size;
    }

    @Setup
    public void fill() {
        index = new RoomIndex<>(2, random);
        for (int i = 0; i < nodes; i++) {
            index.add(NODE.clone(), NODE, 0);
        }
        last = new int[nodes * 24];
        for (int i = 0; i < last.length; i++) {
            last[i] = take(index.first(small, false));
        }
    }

    private int take(int handle) {
        change(handle, -1);
        return handle;
    }

    private void change(int handle, int sign) {
        long[] free = index.item(handle);
        free[0] += sign * SMALL[0];
        free[1] += sign * SMALL[1];
        index.update(handle, free, 1 - (double) free[1] / NODE[1]);
    }

    /** A container ends on some node; the least loaded node gets one. */
    @Benchmark
    public int oneEndsAndOneIsPlaced() {
        change(last[at], 1);
        int found = take(index.first(small, false));
        last[at] = found;
        at = (at + 1) % last.length;
        return found;
    }

    /** A container ends on some node and starts there again; a large one still fits nowhere. */
    @Benchmark
    public int theLargeOneFitsNowhere() {
        change(last[at], 1);
        int found = index.first(large, true);
        change(last[at], -1);
        at = (at + 1) % last.length;
        return found;
    }
}
