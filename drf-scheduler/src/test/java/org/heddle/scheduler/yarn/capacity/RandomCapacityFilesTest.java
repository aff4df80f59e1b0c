// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that nobody wrote: what CapacityScheduler refuses is refused, and what it loads has the same answers about
 * access, the same places for applications, and the same limits of queues, users and ApplicationMasters within one
 * container. {@code -Dheddle.capacity.files=1000} for more of them.
 */
@Tag("newer-line")
class RandomCapacityFilesTest {
    private static final int FILES = Integer.getInteger("heddle.capacity.files", 4);
    private static final List<String> USERS = List.of("alice", "bob", "carol", "nobody");
    private static final List<String> NAMES = List.of("default", "root.a", "a", "root.default", "staff", "new", "root");
    private static final String ONE_USER = "one user in ";
    private static final int MANY = 200;
    private static final int MASTERS = 16;
    /** So few are served at once, whoever asks for more. */
    private static final int FEW = 4;

    private static final int RELOADS = 4;

    @TempDir
    Path directory;

    static LongStream seeds() {
        long first = Long.getLong("heddle.capacity.first", 1);
        return LongStream.range(first, first + FILES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bothSchedulersMakeTheSameOfIt(long seed) throws Exception {
        CapacityFile generated = CapacityFile.of(seed);
        Path file = Files.writeString(directory.resolve("capacity-scheduler.xml"), generated.xml());
        Map<String, Object> capacity = outcome(CapacityFixture.CAPACITY, file, generated);
        Map<String, Object> ours = outcome(CapacityFixture.OURS, file, generated);
        assertSame(capacity, ours, generated.xml());
    }

    /** At each step the file of the one before that CapacityScheduler has taken, with changes or with a mistake. */
    @ParameterizedTest
    @MethodSource("seeds")
    void bothSchedulersTakeTheSameReloads(long seed) throws Exception {
        List<CapacityFile> files = new ArrayList<>(List.of(CapacityFile.of(seed)));
        Map<String, Object> capacity = reloaded(CapacityFixture.CAPACITY, files, seed);
        Map<String, Object> ours = reloaded(CapacityFixture.OURS, files, seed);
        assertSame(capacity, ours, files.stream().map(CapacityFile::xml).collect(Collectors.joining("\n")));
    }

    /** Writes one file after the other and refreshes; a run under CapacityScheduler also says which files come next. */
    private Map<String, Object> reloaded(Class<?> scheduler, List<CapacityFile> files, long seed) throws Exception {
        Path file = directory.resolve("capacity-scheduler.xml");
        Files.writeString(file, files.get(0).xml());
        return CapacityFixture.outcome(scheduler, file, (fixture, outcome) -> {
            CapacityFile inForce = files.get(0);
            fixture.nodes(inForce.vcoresOfNodes());
            for (int step = 1; step <= RELOADS; step++) {
                if (files.size() == step) {
                    files.add(inForce.changed(100 * seed + step));
                }
                CapacityFile next = files.get(step);
                Files.writeString(file, next.xml());
                String refusal = fixture.refreshQueues();
                boolean taken = refusal.isEmpty();
                inForce = taken ? next : inForce;
                outcome.put(step + ": the file is taken", taken);
                answers(fixture, inForce, step + ": ", outcome);
            }
            for (String leaf : inForce.leaves()) {
                limits(fixture, leaf, outcome);
            }
        });
    }

    /** Two applications of each of three users in all leaves at once. */
    @ParameterizedTest
    @MethodSource("seeds")
    void severalUsersGetTheSameOfIt(long seed) throws Exception {
        CapacityFile generated = CapacityFile.of(seed).forManyUsers();
        Path file = Files.writeString(directory.resolve("capacity-scheduler.xml"), generated.xml());
        Map<String, Object> capacity = contest(CapacityFixture.CAPACITY, file, generated);
        Map<String, Object> ours = contest(CapacityFixture.OURS, file, generated);
        for (String leaf : generated.leaves()) {
            if (capacity.getOrDefault(leaf, 0) instanceof Integer held && held < USERS.size() * FEW) {
                capacity.keySet().removeIf(what -> what.endsWith(" in " + leaf)); // too few for all that come at once
            }
        }
        ours.keySet().retainAll(capacity.keySet());
        assertSame(capacity, ours, generated.xml());
    }

    private static Map<String, Object> contest(Class<?> scheduler, Path file, CapacityFile generated) throws Exception {
        CapacityFixture.Steps steps = (fixture, outcome) -> {
            fixture.nodes(generated.vcoresOfNodes());
            Map<String, List<CapacityFixture.App>> asking = new TreeMap<>();
            for (String leaf : generated.leaves()) {
                String name = leaf.substring(leaf.lastIndexOf('.') + 1);
                for (String user : USERS.subList(0, 3)) {
                    if (fixture.placed(user, leaf).equals(name)) {
                        CapacityFixture.App first = fixture.app(user, leaf).ask(FEW, 1024, 1);
                        CapacityFixture.App second = fixture.app(user, leaf).ask(MANY, 1024, 1);
                        asking.put(user + " in " + leaf, List.of(first, second));
                    }
                }
            }
            fixture.heartbeats(4);
            for (Map.Entry<String, List<CapacityFixture.App>> each : asking.entrySet()) {
                String leaf = each.getKey().substring(each.getKey().indexOf(" in ") + 4);
                int first = each.getValue().get(0).holds();
                int both = first + each.getValue().get(1).holds();
                outcome.merge(leaf, both, (one, other) -> (int) one + (int) other);
                if (generated.dividesEvenly(leaf)) {
                    outcome.put(each.getKey(), both);
                    outcome.put("the first application of " + each.getKey(), first);
                }
            }
        };
        // masters that are not managed count under CapacityScheduler, with the smallest container
        String smallest = YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB;
        return CapacityFixture.outcome(scheduler, file, steps, smallest, "1");
    }

    private static void assertSame(Map<String, Object> capacity, Map<String, Object> ours, String files) {
        Map<String, String> differences = new TreeMap<>();
        capacity.forEach((what, value) -> {
            if (!agree(value, ours.get(what))) {
                differences.put(what, value + " under CapacityScheduler, here " + ours.get(what));
            }
        });
        assertThat(differences).as(files).isEmpty();
        assertThat(ours.keySet()).as(files).isEqualTo(capacity.keySet());
    }

    private static boolean agree(Object one, @Nullable Object other) {
        if (one instanceof Integer number && other instanceof Integer another) {
            return Math.abs(number - another) <= 1;
        }
        return one.equals(other);
    }

    private static Map<String, Object> outcome(Class<?> scheduler, Path file, CapacityFile generated) throws Exception {
        return CapacityFixture.outcome(scheduler, file, (fixture, outcome) -> {
            fixture.nodes(generated.vcoresOfNodes());
            answers(fixture, generated, "", outcome);
            for (String leaf : generated.leaves()) {
                limits(fixture, leaf, outcome);
            }
        });
    }

    /** Who may use which queue, and where applications go. */
    private static void answers(
            CapacityFixture fixture, CapacityFile generated, String when, Map<String, Object> outcome) {
        for (String user : USERS) {
            for (String leaf : generated.leaves()) {
                outcome.put(
                        when + user + " submits to " + leaf, fixture.mayUse(user, QueueACL.SUBMIT_APPLICATIONS, leaf));
                outcome.put(
                        when + user + " administers " + leaf, fixture.mayUse(user, QueueACL.ADMINISTER_QUEUE, leaf));
            }
            for (String name : generated.unambiguous(NAMES)) {
                outcome.put(when + user + " names " + name, fixture.placed(user, name));
            }
        }
    }

    /** What one user, and the ApplicationMasters of one user after the other, get in a leaf of an empty cluster. */
    private static void limits(CapacityFixture fixture, String leaf, Map<String, Object> outcome) throws Exception {
        String user = someone(fixture, leaf);
        if (user == null) {
            return;
        }
        CapacityFixture.App one = fixture.app(user, leaf).ask(MANY, 1024, 1);
        fixture.heartbeats(3);
        outcome.put(ONE_USER + leaf, one.holds());
        fixture.end(one.app);
        List<RMApp> all = new ArrayList<>();
        for (String each : USERS) {
            List<RMApp> masters = masters(fixture, each, leaf);
            if (masters.isEmpty()) {
                continue;
            }
            all.addAll(masters);
            fixture.heartbeats(8); // of large clusters less would do: a node starts one master in a heartbeat
            outcome.put("applications of " + each + " let into " + leaf, masters.size());
            outcome.put("masters of " + each + " in " + leaf, (int) fixture.masters(masters));
        }
        for (RMApp app : all) {
            fixture.end(app);
        }
    }

    /** As many applications of a user as the queue lets in, up to a number. */
    private static List<RMApp> masters(CapacityFixture fixture, String user, String leaf) throws Exception {
        List<RMApp> masters = new ArrayList<>();
        String name = leaf.substring(leaf.lastIndexOf('.') + 1);
        boolean admitted = fixture.placed(user, leaf).equals(name);
        while (admitted && masters.size() < MASTERS) {
            try {
                RMApp app = fixture.submit(user, leaf, false);
                admitted = CapacityFixture.isIn(app);
                if (admitted) {
                    masters.add(app);
                }
            } catch (Exception e) {
                admitted = false; // the queue is full
            }
        }
        return masters;
    }

    /** A user whom the queue lets in by its own name; null if there is none. */
    private static @Nullable String someone(CapacityFixture fixture, String leaf) {
        String name = leaf.substring(leaf.lastIndexOf('.') + 1);
        return USERS.stream()
                .filter(user ->
                        !name.equals("default") && fixture.placed(user, leaf).equals(name))
                .findFirst()
                .orElse(null);
    }
}
