// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.DelayScheduling.Sighting;
import org.heddle.scheduler.yarn.app.RequestTimes;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of the last look for room is what a look at all nodes shows. */
@Tag("newer-line")
class ClusterPlacesTest {
    private static final Resource NODE = Resource.newInstance(8_000, 8);
    private static final SchedulerRequestKey KEY = SchedulerRequestKey.create(ResourceRequest.newInstance(
            Priority.newInstance(1), ResourceRequest.ANY, Resource.newInstance(1_000, 1), 1));

    private final SplittableRandom random = new SplittableRandom(7);
    private final NodeIndex index = new NodeIndex(new ResourceVectors(), random, 1_000);
    private final ClusterPlaces places = new ClusterPlaces(index);
    private final List<HeddleNode> nodes = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20})
    void rememberedRoomIsRoom(int namesOfAnAsk) {
        for (int i = 0; i < 40; i++) {
            add(i);
        }
        Wish[] wishes = new Wish[10];
        for (int i = 0; i < wishes.length; i++) {
            wishes[i] = new Wish(namesOfAnAsk);
        }
        int looks = 5_000;
        int found = 0;
        for (int step = 0; step < looks; step++) {
            change(step);
            Wish wish = wishes[random.nextInt(wishes.length)];
            boolean onNodes = places.haveRoom(wish.asks, wish.ask, NodeType.NODE_LOCAL, wish.onNodes);
            boolean onRacks = places.haveRoom(wish.asks, wish.ask, NodeType.RACK_LOCAL, wish.onRacks);
            assertThat(onNodes)
                    .as("nodes, step %d", step)
                    .isEqualTo(nodes.stream()
                            .anyMatch(node -> wish.isNamed(node.getNodeName()) && wish.isOnRackWithRoom(node)));
            assertThat(onRacks)
                    .as("racks, step %d", step)
                    .isEqualTo(nodes.stream().anyMatch(wish::isOnRackWithRoom));
            found += onNodes ? 1 : 0;
        }
        assertThat(found).as("neither always nor never").isBetween(looks / 100, looks - looks / 100);
    }

    private void add(int number) {
        HeddleNode node = new HeddleNode(MockNodes.newNodeInfo(number % 8, NODE, number, "host" + number), false);
        nodes.add(node);
        index.add(node, 0);
    }

    private void change(int step) {
        HeddleNode node = nodes.get(random.nextInt(nodes.size()));
        long free = node.getUnallocatedResource().getMemorySize();
        if (step % 500 == 499) {
            nodes.remove(node);
            index.remove(node);
            add(Integer.parseInt(node.getNodeName().substring("host".length())));
        } else if (random.nextInt(6) > 0 && free >= 1_000) {
            node.deductUnallocatedResource(Resource.newInstance(1_000, 1));
        } else if (random.nextInt(4) == 0) {
            node.updateTotalResource(NODE);
            node.deductUnallocatedResource(Resource.newInstance(8_000 - (int) free, (8_000 - (int) free) / 1_000));
        } else if (random.nextInt(8) == 0 && free < 8_000) {
            node.deductUnallocatedResource(Resource.newInstance(-1_000, -1));
        }
    }

    /** An ask for containers on some of the nodes and their racks. */
    private final class Wish {
        final AppSchedulingInfo asks =
                mock(AppSchedulingInfo.class, withSettings().stubOnly());
        final Map<String, ResourceRequest> named = new LinkedHashMap<>();
        final Ask ask;
        final Sighting onNodes = new Sighting();
        final Sighting onRacks = new Sighting();

        Wish(int names) {
            int cores = 1 + random.nextInt(3);
            ShareEngine engine = new ShareEngine(2, new DrfOrder(), () -> true);
            engine.setCapacity(new long[] {8_000, 8}, 1);
            ContainerSize size = Objects.requireNonNull(engine.setAsk(
                    engine.addApplication(engine.root(), "a", new double[] {1, 1}, 0),
                    new long[] {1_000L * cores, cores},
                    1));
            ask = new Ask(KEY, size, new RequestTimes());
            List<HeddleNode> all = new ArrayList<>(nodes);
            Collections.shuffle(all, new java.util.Random(random.nextLong()));
            name(ResourceRequest.ANY);
            for (HeddleNode node : all.subList(0, names)) {
                name(node.getNodeName());
                name(node.getRackName());
            }
            AppPlacementAllocator<?> wishes =
                    mock(AppPlacementAllocator.class, withSettings().stubOnly());
            when(wishes.getResourceRequests()).thenReturn(named);
            when(wishes.getPrimaryRequestedNodePartition()).thenReturn("");
            doReturn(wishes).when(asks).getAppPlacementAllocator(KEY);
            when(asks.canDelayTo(any(), any())).thenReturn(true);
        }

        private void name(String place) {
            named.put(
                    place,
                    ResourceRequest.newInstance(Priority.newInstance(1), place, Resource.newInstance(1_000, 1), 1));
        }

        boolean isNamed(String place) {
            return named.containsKey(place);
        }

        boolean isOnRackWithRoom(HeddleNode node) {
            Resource free = node.getUnallocatedResource();
            return isNamed(node.getRackName())
                    && ask.size().fits(new long[] {free.getMemorySize(), free.getVirtualCores()});
        }
    }
}
