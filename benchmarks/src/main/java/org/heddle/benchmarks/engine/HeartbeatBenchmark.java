// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.engine;

import java.util.concurrent.TimeUnit;
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

/** One node's heartbeat in a full cluster, as far as the engine has to do with it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HeartbeatBenchmark {
    @Param({"100", "1000"})
    private int users;

    /** Of each user; with 100 users these are 10,000. */
    @Param({"1", "100"})
    private int applications;

    /** Of the applications of each user. */
    @Param({"fifo", "sojourn"})
    private String order = "";

    private SaturatedCluster cluster = new SaturatedCluster(1, 1, "fifo");

    @Setup
    public void fill() {
        cluster = new SaturatedCluster(users, applications, order);
    }

    /** A container ended on the node; the next application gets its resources. */
    @Benchmark
    public int oneEndsAndOneIsGranted() {
        return cluster.turnOver();
    }

    /** The node is full. */
    @Benchmark
    public int nothingIsGranted() {
        return cluster.idle();
    }
}
