// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Watches how busy the machine is, from its creation to {@link #stop}. A thread of its own takes samples. */
public final class LoadMeter {
    private static final long SECONDS_BETWEEN_SAMPLES = 5;

    private final ProcessorTime processorTime;
    private final DoubleSupplier loadAverage;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "load meter");
        thread.setDaemon(true);
        return thread;
    });
    private final double before;
    private final double machineBefore;
    private final double ownBefore;
    private final long began;
    private final List<Double> samples = new ArrayList<>();

    /**
     * @param loadAverage of the last minute; negative where the system has none
     * @param nanoTime a clock like {@link System#nanoTime()}
     */
    LoadMeter(ProcessorTime processorTime, DoubleSupplier loadAverage, LongSupplier nanoTime) {
        this.processorTime = processorTime;
        this.loadAverage = loadAverage;
        this.nanoTime = nanoTime;
        before = known(loadAverage.getAsDouble());
        machineBefore = processorTime.machineSeconds();
        ownBefore = processorTime.ownSeconds();
        began = nanoTime.getAsLong();
    }

    /** A meter of this machine. */
    public static LoadMeter start() {
        LoadMeter meter = new LoadMeter(
                ProcessorTime.ofThisMachine(),
                ManagementFactory.getOperatingSystemMXBean()::getSystemLoadAverage,
                System::nanoTime);
        ScheduledFuture<?> unused = meter.timer.scheduleAtFixedRate(
                meter::sample, SECONDS_BETWEEN_SAMPLES, SECONDS_BETWEEN_SAMPLES, TimeUnit.SECONDS);
        return meter;
    }

    synchronized void sample() {
        samples.add(known(loadAverage.getAsDouble()));
    }

    /** How busy the machine was up to now. Ends the thread. */
    public synchronized Load stop() {
        timer.shutdownNow();
        double seconds = (nanoTime.getAsLong() - began) / 1e9;
        double others = processorTime.machineSeconds() - machineBefore - (processorTime.ownSeconds() - ownBefore);
        samples.add(known(loadAverage.getAsDouble()));
        double during =
                samples.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
        return new Load(rounded(before), rounded(during), seconds <= 0 ? 0 : rounded(atLeastZero(others / seconds)));
    }

    private static double known(double average) {
        return average < 0 ? Double.NaN : average;
    }

    private static double atLeastZero(double cores) {
        return Double.isNaN(cores) ? cores : Math.max(0, cores);
    }

    private static double rounded(double value) {
        return Double.isNaN(value) ? value : Math.round(100 * value) / 100.0;
    }
}
