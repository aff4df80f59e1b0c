// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * A cluster and a job. Times in ms on the fastest node.
 *
 * @param nodes one entry per node
 * @param slots map slots, and again as many reduce slots, per node, as in the paper; or slots for both kinds, if they
 *     share them
 * @param sharing whether maps and reduces share the slots, as in YARN
 * @param mapMillis work of a map of size 1
 * @param fetchMillis time a reduce of size 1 needs to fetch all map outputs
 * @param reduceMillis work of the reduce phase
 * @param reduceSteps random sleeps the reduce phase consists of; 0 for steady work
 * @param thirds whether a reduce reports in thirds, as MapReduce does, or linearly, as the paper's text assumes
 * @param mapSize relative size of a map by index
 * @param inputSize relative size of a map's input as the speculator sees it; NaN if it sees none
 * @param counted whether maps count the records that they read
 * @param reduceSize relative size of a reduce by index
 * @param noise standard deviation of an attempt's duration, relative
 * @param startupMillis JVM start and set-up of a task on the fastest node
 * @param reportMillis interval between two reports of a task
 * @param faults what goes wrong apart from the nodes' speeds
 */
public record Scenario(
        String name,
        List<SimNode> nodes,
        int slots,
        boolean sharing,
        int maps,
        double mapMillis,
        int reduces,
        double fetchMillis,
        double reduceMillis,
        int reduceSteps,
        boolean thirds,
        IntToDoubleFunction mapSize,
        IntToDoubleFunction inputSize,
        boolean counted,
        IntToDoubleFunction reduceSize,
        double noise,
        double startupMillis,
        long reportMillis,
        Faults faults) {

    private static final double STARTUP_MILLIS = 1_500;
    /** Share of the fetching that is left to do when the last map ends. */
    static final double LAST_FETCH = 0.1;

    private static final double SORT_SHARE = 0.05;

    /** A job of maps only. */
    public static Scenario maps(
            String name, int nodes, int slots, int maps, double mapMillis, IntFunction<SimNode> node) {
        return new Scenario(
                name,
                each(nodes, node),
                slots,
                false,
                maps,
                mapMillis,
                0,
                0,
                0,
                0,
                true,
                i -> 1,
                i -> 1,
                false,
                i -> 1,
                0.05,
                STARTUP_MILLIS,
                6_000,
                Faults.NONE);
    }

    public Scenario reduces(int count, double fetch, double reduce, int steps) {
        return copy(draft -> {
            draft.reduces = count;
            draft.fetchMillis = fetch;
            draft.reduceMillis = reduce;
            draft.reduceSteps = steps;
        });
    }

    public Scenario sizes(IntToDoubleFunction ofMap, IntToDoubleFunction ofReduce) {
        return copy(draft -> {
            draft.mapSize = ofMap;
            draft.inputSize = ofMap;
            draft.reduceSize = ofReduce;
        });
    }

    /** After {@link #sizes}: other sizes of inputs than those which the times of maps follow. */
    public Scenario inputs(IntToDoubleFunction ofInput) {
        return copy(draft -> draft.inputSize = ofInput);
    }

    /** The speculator does not see the sizes of inputs. */
    public Scenario inputsUnknown() {
        return inputs(i -> Double.NaN);
    }

    /** Maps count the records of their inputs. */
    public Scenario inputsCounted() {
        return copy(draft -> draft.counted = true);
    }

    /** Maps and reduces share the slots, and the ApplicationMaster holds reduces back while maps wait. */
    public Scenario sharedSlots() {
        return copy(draft -> draft.sharing = true);
    }

    public Scenario startup(double millis) {
        return copy(draft -> draft.startupMillis = millis);
    }

    public Scenario linearScore() {
        return copy(draft -> draft.thirds = false);
    }

    public Scenario reporting(long millis) {
        return copy(draft -> draft.reportMillis = millis);
    }

    public Scenario noise(double sigma) {
        return copy(draft -> draft.noise = sigma);
    }

    public Scenario with(String otherName, Faults other) {
        return copy(draft -> {
            draft.name = otherName;
            draft.faults = other;
        });
    }

    /** The components that copies change. */
    private static final class Draft {
        String name;
        boolean sharing;
        int reduces;
        double fetchMillis;
        double reduceMillis;
        int reduceSteps;
        boolean thirds;
        IntToDoubleFunction mapSize;
        IntToDoubleFunction inputSize;
        boolean counted;
        IntToDoubleFunction reduceSize;
        double noise;
        double startupMillis;
        long reportMillis;
        Faults faults;

        Draft(Scenario of) {
            name = of.name;
            sharing = of.sharing;
            reduces = of.reduces;
            fetchMillis = of.fetchMillis;
            reduceMillis = of.reduceMillis;
            reduceSteps = of.reduceSteps;
            thirds = of.thirds;
            mapSize = of.mapSize;
            inputSize = of.inputSize;
            counted = of.counted;
            reduceSize = of.reduceSize;
            noise = of.noise;
            startupMillis = of.startupMillis;
            reportMillis = of.reportMillis;
            faults = of.faults;
        }
    }

    private Scenario copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new Scenario(
                draft.name,
                nodes,
                slots,
                draft.sharing,
                maps,
                mapMillis,
                draft.reduces,
                draft.fetchMillis,
                draft.reduceMillis,
                draft.reduceSteps,
                draft.thirds,
                draft.mapSize,
                draft.inputSize,
                draft.counted,
                draft.reduceSize,
                draft.noise,
                draft.startupMillis,
                draft.reportMillis,
                draft.faults);
    }

    private static List<SimNode> each(int count, IntFunction<SimNode> node) {
        SimNode[] all = new SimNode[count];
        for (int i = 0; i < count; i++) {
            all[i] = node.apply(i);
        }
        return List.of(all);
    }

    /** The course of a map attempt. With reducers, reading is two thirds of the score and sorting is quick. */
    ProgressCurve mapCourse(int task, SimNode on, long start, Random random) {
        SimNode node = on.forMaps();
        ProgressCurve course = begin(node, start);
        double work = mapMillis * mapSize.applyAsDouble(task) * jitter(random);
        double readTo = reduces > 0 ? 0.667 : 1;
        for (int i = 1; i < faults.mapSteps(); i++) {
            double step = work / faults.mapSteps() * 2 * random.nextDouble();
            course.work(step, readTo * i / faults.mapSteps(), node, 1);
        }
        work /= Math.max(1, faults.mapSteps());
        stallingWork(course, reduces > 0 ? work * (1 - SORT_SHARE) : work, readTo, node, 1);
        if (reduces > 0) {
            course.work(work * SORT_SHARE, 1, node, 1);
        }
        return course;
    }

    /** What follows a reduce's fetching, appended to its course. */
    void afterFetch(ProgressCurve course, int task, SimNode node, Random random) {
        double size = reduceSize.applyAsDouble(task);
        double from = course.last();
        if (thirds) {
            course.work(reduceMillis * size * SORT_SHARE, 2.0 / 3, node, 1);
            from = 2.0 / 3;
        }
        if (reduceSteps == 0) {
            stallingWork(course, reduceMillis * size * jitter(random), 1, node, node.reduceFactor());
            return;
        }
        double step = reduceMillis * size / reduceSteps;
        for (int i = 1; i <= reduceSteps; i++) {
            double to = i == reduceSteps ? 1 : from + (1 - from) * i / reduceSteps;
            course.work(step * 2 * random.nextDouble(), to, node, node.reduceFactor());
        }
    }

    /** Records of a map's input; 0 if it does not count them. */
    double recordsOfInput(int task) {
        return counted ? 1_000_000 * mapSize.applyAsDouble(task) : 0;
    }

    double bytesOfReduce(int task) {
        return 128e6 * reduceSize.applyAsDouble(task);
    }

    double fetchWork(int task) {
        return fetchMillis * reduceSize.applyAsDouble(task);
    }

    /** Score at which fetching ends. */
    double fetchScore() {
        return thirds ? 1.0 / 3 : Math.min(0.01, fetchMillis / Math.max(1, fetchMillis + reduceMillis));
    }

    /** The JVM starts at the node's pace. */
    ProgressCurve begin(SimNode node, long start) {
        return new ProgressCurve(start).work(startupMillis, 0, node.forMaps(), 1);
    }

    private static void stallingWork(ProgressCurve course, double work, double to, SimNode node, double factor) {
        if (node.stallMillis() > 0) {
            double half = (course.last() + to) / 2;
            course.work(work / 2, half, node, factor);
            course.add(course.end() + node.stallMillis(), half);
            course.work(work / 2, to, node, factor);
        } else {
            course.work(work, to, node, factor);
        }
    }

    private double jitter(Random random) {
        return Math.min(1.5, Math.max(0.6, 1 + noise * random.nextGaussian()));
    }
}
