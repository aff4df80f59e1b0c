// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimetableTest {
    private static final List<Role> ROLES = List.of(Role.values());
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Two machines with two disks; an extra needs two hosts on its machine. */
    private static JobTable fourSlots(int jobs) {
        return new JobTable(new Problem(
                "p",
                2,
                2,
                2,
                new Alpha(1.3),
                IntStream.range(0, jobs)
                        .mapToObj(j -> new Job("j" + j, new PowerModel(1, 0), true, true))
                        .toList()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the third job waits for both others            | NNN | 2 2 3  | 10 20 5  | 0 0 20    | 25
            a narrow job fills the hole beside a wide one  | NNN | 3 4 1  | 10 10 10 | 0 10 0    | 20
            a hole that is too short is left alone         | NNN | 3 4 1  | 10 10 11 | 0 10 20   | 31
            extras run on the machines of their hosts      | HEN | 4 2 1  | 10 10 5  | 0 0 10    | 15
            one extra blocks its whole machine             | ENN | 1 2 1  | 10 10 5  | 0 0 10    | 15
            hosts of one machine leave the other one free  | HEN | 2 1 2  | 10 10 5  | 0 0 0     | 10
            a third extra waits for a machine              | EEH | 2 1 4  | 10 10 5  | 0 10 0    | 20
            """)
    void eachJobStartsAsSoonAsItFits(
            String rule, String roles, String widths, String seconds, String starts, double makespan) {
        JobTable table = fourSlots(roles.length());
        Timetable timetable = new Timetable(table);
        int[] order = IntStream.range(0, roles.length()).toArray();
        double found = timetable.schedule(order, ints(widths), roles(roles), doubles(seconds), NEVER);
        assertThat(timetable.start).containsExactly(doubles(starts));
        assertThat(found).isEqualTo(makespan);
    }

    @Test
    void givesUpAtTheLimit() {
        Timetable timetable = new Timetable(fourSlots(2));
        int[] order = {0, 1};
        int[] widths = {3, 3};
        double[] seconds = {10, 5};
        assertThat(timetable.schedule(order, widths, roles("NN"), seconds, 15)).isEqualTo(NEVER);
        assertThat(timetable.schedule(order, widths, roles("NN"), seconds, 15.001))
                .isEqualTo(15);
    }

    @Test
    void scheduledJobsKeepBothCapacitiesAndStartWhenAnotherOneEnds() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int jobs = 1 + random.nextInt(8);
            JobTable table = new JobTable(RandomProblems.of(seed, jobs, 1 + random.nextInt(5), 1 + random.nextInt(4)));
            int[] widths = new int[jobs];
            Role[] roles = new Role[jobs];
            double[] seconds = new double[jobs];
            for (int j = 0; j < jobs; j++) {
                roles[j] = ROLES.get(random.nextInt(3));
                int most = roles[j] == Role.EXTRA ? table.mostExtras() : table.slots;
                widths[j] = 1 + random.nextInt(most);
                seconds[j] = 1 + random.nextInt(20);
            }
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, jobs).boxed().toList());
            Collections.shuffle(order, random);
            Timetable timetable = new Timetable(table);
            double makespan =
                    timetable.schedule(order.stream().mapToInt(j -> j).toArray(), widths, roles, seconds, NEVER);
            double last = 0;
            for (int j = 0; j < jobs; j++) {
                double start = timetable.start[j];
                assertThat(used(table, timetable.start, widths, roles, seconds, start))
                        .as("seed %d at %.1f s", seed, start)
                        .isLessThanOrEqualTo(table.slots);
                assertThat(start == 0
                                || IntStream.range(0, jobs).anyMatch(i -> timetable.start[i] + seconds[i] == start))
                        .as("seed %d: job %d starts at %.1f s, when another one ends", seed, j, start)
                        .isTrue();
                last = Math.max(last, start + seconds[j]);
            }
            assertThat(makespan).as("seed %d", seed).isEqualTo(last);
        }
    }

    /** Slots in use at an instant: n + max(h, g(e)). */
    private static int used(
            JobTable table, double[] start, int[] widths, Role[] roles, double[] seconds, double instant) {
        Map<Role, Integer> vms = new EnumMap<>(Role.class);
        for (int j = 0; j < start.length; j++) {
            if (start[j] <= instant && instant < start[j] + seconds[j]) {
                vms.merge(roles[j], widths[j], Integer::sum);
            }
        }
        int hosts = vms.getOrDefault(Role.HOST, 0);
        int extras = vms.getOrDefault(Role.EXTRA, 0);
        return vms.getOrDefault(Role.NORMAL, 0) + Math.max(hosts, table.slotsFor(extras));
    }

    private static Role[] roles(String letters) {
        return letters.chars()
                .mapToObj(c -> c == 'N' ? Role.NORMAL : c == 'H' ? Role.HOST : Role.EXTRA)
                .toArray(Role[]::new);
    }

    private static int[] ints(String text) {
        return DoubleStream.of(doubles(text)).mapToInt(d -> (int) d).toArray();
    }

    private static double[] doubles(String text) {
        return List.of(text.strip().split(" +")).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
