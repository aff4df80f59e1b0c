// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.hadoop.yarn.api.records.QueueACL;
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
    private static final int FILES = Integer.getInteger("heddle.capacity.files", 6);
    private static final List<String> USERS = List.of("alice", "bob", "carol", "nobody");
    private static final List<String> NAMES = List.of("default", "root.a", "a", "root.default", "staff", "new", "root");
    private static final String ONE_USER = "one user in ";
    private static final int MANY = 200;
    private static final int MASTERS = 16;

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
        Map<String, String> differences = new TreeMap<>();
        capacity.forEach((what, value) -> {
            if (!agree(value, ours.get(what))) {
                differences.put(what, value + " under CapacityScheduler, here " + ours.get(what));
            }
        });
        assertThat(differences).as(generated.xml()).isEmpty();
        assertThat(ours.keySet()).as(generated.xml()).isEqualTo(capacity.keySet());
    }

    private static boolean agree(Object one, @Nullable Object other) {
        if (one instanceof Integer number && other instanceof Integer another) {
            return Math.abs(number - another) <= 1;
        }
        return one.equals(other);
    }

    private static Map<String, Object> outcome(Class<?> scheduler, Path file, CapacityFile generated) throws Exception {
        List<String> leaves = generated.leaves();
        CapacityFixture opened;
        try {
            opened = new CapacityFixture(scheduler, file);
        } catch (RuntimeException refused) {
            return Map.of("the file", "is refused");
        }
        Map<String, Object> outcome = new TreeMap<>(Map.of("the file", "is loaded"));
        try (CapacityFixture fixture = opened) {
            fixture.nodes(generated.vcoresOfNodes());
            for (String user : USERS) {
                for (String leaf : leaves) {
                    outcome.put(user + " submits to " + leaf, fixture.mayUse(user, QueueACL.SUBMIT_APPLICATIONS, leaf));
                    outcome.put(user + " administers " + leaf, fixture.mayUse(user, QueueACL.ADMINISTER_QUEUE, leaf));
                }
                for (String name : generated.unambiguous(NAMES)) {
                    outcome.put(user + " names " + name, fixture.placed(user, name));
                }
            }
            for (String leaf : leaves) {
                limits(fixture, leaf, outcome);
            }
        }
        return outcome;
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
