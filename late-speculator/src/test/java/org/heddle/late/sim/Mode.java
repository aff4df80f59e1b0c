// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.ExponentiallySmoothedTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.LegacyTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SimpleExponentialTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;
import org.heddle.late.mr.LateSpeculator;
import org.heddle.late.policy.Settings;

/**
 * The speculator of a simulated job.
 *
 * @param name short, for tables
 * @param kind which code decides
 * @param settings changes to a job's default configuration
 * @param thresholds changes to settings of LATE that have no key
 */
public record Mode(String name, Kind kind, Consumer<Configuration> settings, Consumer<Settings.Draft> thresholds) {

    /** The code behind a mode. */
    public enum Kind {
        NONE,
        STOCK,
        LATE,
        /** Knows every duration and chooses the best node for each copy: a bound for any system. */
        CLAIRVOYANT,
        /** Knows every duration, but the ResourceManager places: a bound for anything that is a speculator. */
        CLAIRVOYANT_SPECULATOR,
        /** As that one, but of maps on a node that will change it foresees nothing before the change. */
        INFORMED_SPECULATOR
    }

    private Mode(String name, Kind kind, Consumer<Configuration> settings) {
        this(name, kind, settings, draft -> {});
    }

    public static final Mode NONE = new Mode("none", Kind.NONE, conf -> {});
    public static final Mode STOCK = stock("stock", LegacyTaskRuntimeEstimator.class, 15_000);
    public static final Mode STOCK_1S = stock("stock, pause 1 s", LegacyTaskRuntimeEstimator.class, 1_000);
    public static final Mode STOCK_SMOOTH =
            stock("stock, exp. smoothed", ExponentiallySmoothedTaskRuntimeEstimator.class, 15_000);
    public static final Mode STOCK_SIMPLE =
            stock("stock, simple exp.", SimpleExponentialTaskRuntimeEstimator.class, 15_000);
    public static final Mode PAPER =
            new Mode("late paper", Kind.LATE, conf -> conf.set("mapreduce.heddle.late.profile", "paper"));
    public static final Mode HEDDLE = new Mode("late heddle", Kind.LATE, conf -> {});
    public static final Mode CLAIRVOYANT = new Mode("clairvoyant", Kind.CLAIRVOYANT, conf -> {});

    public static final Mode CLAIRVOYANT_SPECULATOR =
            new Mode("clairvoyant, RM places", Kind.CLAIRVOYANT_SPECULATOR, conf -> {});

    public static final Mode INFORMED_SPECULATOR =
            new Mode("informed, RM places", Kind.INFORMED_SPECULATOR, conf -> {});

    private static Mode stock(String name, Class<? extends TaskRuntimeEstimator> estimator, long pause) {
        return new Mode(name, Kind.STOCK, conf -> {
            conf.setClass(MRJobConfig.MR_AM_TASK_ESTIMATOR, estimator, TaskRuntimeEstimator.class);
            conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE, pause);
        });
    }

    /** The same mode with one more key. */
    public Mode with(String otherName, String key, Object value) {
        return new Mode(otherName, kind, settings.andThen(conf -> conf.set(key, value.toString())), thresholds);
    }

    /** The same mode with other thresholds. */
    public Mode with(String otherName, Consumer<Settings.Draft> change) {
        return new Mode(otherName, kind, settings, thresholds.andThen(change));
    }

    /** A speculator and how to make it pass once. */
    interface Driver {
        Speculator speculator();

        /** @return ms until the next pass */
        long pass();
    }

    Driver driver(Configuration conf, AppContext context, Scenario scenario) {
        if (kind == Kind.STOCK) {
            return stockDriver(conf, context);
        }
        LateSpeculator late = new LateSpeculator(conf, context, (job, c) -> sizes(scenario), thresholds);
        return new Driver() {
            @Override
            public Speculator speculator() {
                return late;
            }

            @Override
            public long pass() {
                late.scan();
                return 1_000;
            }
        };
    }

    private static long[] sizes(Scenario scenario) throws IOException {
        long[] sizes = new long[scenario.maps()];
        for (int i = 0; i < sizes.length; i++) {
            double size = scenario.inputSize().applyAsDouble(i);
            if (Double.isNaN(size)) {
                throw new IOException("not known");
            }
            sizes[i] = Math.round(128e6 * size);
        }
        return sizes;
    }

    /** The pass of the real DefaultSpeculator is private and its thread waits in real time, hence reflection. */
    private static Driver stockDriver(Configuration conf, AppContext context) {
        DefaultSpeculator stock = new DefaultSpeculator(conf, context);
        stock.init(conf);
        Method pass;
        try {
            pass = DefaultSpeculator.class.getDeclaredMethod("computeSpeculations");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("this Hadoop's DefaultSpeculator has no computeSpeculations()", e);
        }
        pass.setAccessible(true);
        return new Driver() {
            @Override
            public Speculator speculator() {
                return stock;
            }

            @Override
            public long pass() {
                try {
                    int launched = (Integer) pass.invoke(stock);
                    return launched > 0
                            ? stock.getSoonestRetryAfterSpeculate()
                            : stock.getSoonestRetryAfterNoSpeculate();
                } catch (IllegalAccessException | InvocationTargetException e) {
                    throw new IllegalStateException("DefaultSpeculator failed in its pass", e);
                }
            }
        };
    }
}
