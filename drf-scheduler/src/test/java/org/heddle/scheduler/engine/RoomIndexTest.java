// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index finds what a scan of all nodes finds, after any history of changes. */
@Tag("pure")
class RoomIndexTest {
    private static final int STEPS = 1_500;

    private static final class Node {
        int handle;
        long[] free;
        double load;

        Node(long[] free, double load) {
            this.free = free;
            this.load = load;
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private final List<ContainerSize> sizes = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void findsWhatAScanFinds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int resources = 1 + random.nextInt(3);
        // an index of few nodes is full most of the time, and of many resources: what fits nowhere is remembered
        int most = seed % 2 == 0 ? 12 : 200;
        RoomIndex<Node> index = new RoomIndex<>(resources, random.split());
        for (int i = 0; i < 80; i++) {
            sizes.add(new ContainerSize(vector(random, resources, 12), 0));
        }
        for (int step = 0; step < STEPS; step++) {
            change(index, random, resources, most);
            ContainerSize size = sizes.get(random.nextInt(sizes.size()));
            boolean backwards = random.nextBoolean();
            assertThat(walk(index, size, backwards))
                    .as("seed %s, step %s: nodes for %s", seed, step, size)
                    .isEqualTo(scan(size, backwards));
            int drawn = index.anyOf(2, size);
            assertThat(drawn == RoomIndex.NONE || size.fits(index.item(drawn).free))
                    .isTrue();
            assertThat(index.size()).isEqualTo(nodes.size());
        }
    }

    private void change(RoomIndex<Node> index, SplittableRandom random, int resources, int most) {
        int what = random.nextInt(10);
        if (nodes.isEmpty() || (what < 3 && nodes.size() < most)) {
            Node added = new Node(vector(random, resources, 14), random.nextInt(8) / 8.0);
            added.handle = index.add(added, added.free, added.load);
            nodes.add(added);
        } else if (what == 9) {
            Node removed = nodes.remove(random.nextInt(nodes.size()));
            index.remove(removed.handle);
        } else {
            Node changed = nodes.get(random.nextInt(nodes.size()));
            changed.free = random.nextInt(8) == 0 ? changed.free : vector(random, resources, 14);
            changed.load = random.nextInt(8) / 8.0;
            index.update(changed.handle, changed.free, changed.load);
        }
    }

    private static long[] vector(SplittableRandom random, int resources, int bound) {
        long[] vector = new long[resources];
        for (int j = 0; j < resources; j++) {
            vector[j] = random.nextInt(bound);
        }
        return vector;
    }

    private static List<Integer> walk(RoomIndex<Node> index, ContainerSize size, boolean backwards) {
        List<Integer> found = new ArrayList<>();
        int handle = index.first(size, backwards);
        while (handle != RoomIndex.NONE) {
            found.add(handle);
            handle = index.next(handle, size, backwards);
        }
        return found;
    }

    private List<Integer> scan(ContainerSize size, boolean backwards) {
        Comparator<Node> order =
                Comparator.<Node>comparingDouble(node -> node.load).thenComparingInt(node -> node.handle);
        return nodes.stream()
                .filter(node -> size.fits(node.free))
                .sorted(backwards ? order.reversed() : order)
                .map(node -> node.handle)
                .toList();
    }

    /**
     * Each placement takes from the least loaded node: loads of equal nodes stay within one container of each other.
     */
    @Test
    void theLeastLoadedComesFirst() {
        RoomIndex<Node> index = new RoomIndex<>(2, new SplittableRandom(1));
        ContainerSize size = new ContainerSize(new long[] {1, 1}, 0);
        for (int i = 0; i < 10; i++) {
            Node node = new Node(new long[] {8, 8}, 0);
            node.handle = index.add(node, node.free, 0);
        }
        for (int placed = 0; placed < 40; placed++) {
            Node node = index.item(index.first(size, false));
            node.free = new long[] {node.free[0] - 1, node.free[1] - 1};
            node.load = 1 - node.free[0] / 8.0;
            index.update(node.handle, node.free, node.load);
            nodes.add(node);
        }
        assertThat(nodes).allMatch(node -> node.free[0] == 4);
    }
}
