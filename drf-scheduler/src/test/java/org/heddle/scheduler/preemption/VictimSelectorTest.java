// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which containers go, with and without regard to the work that is lost. A cluster of 20 cores, of which queue
 * "starved" (weight 2) holds none; queues "free1" and "free2" have no weight, queue "rich" has weight 1.
 */
@Tag("pure")
class VictimSelectorTest {
    private static final ShareOrders ORDERS = new ShareOrders();
    private static final long CORES = 20;

    private final ShareEngine engine = new ShareEngine(1, order("drf"), () -> true);
    private final Map<String, Schedulable> applications = new LinkedHashMap<>();

    VictimSelectorTest() {
        engine.setCapacity(new long[] {CORES}, 2);
        queue("starved", 2);
        queue("free1", 0);
        queue("free2", 0);
        queue("rich", 1);
        engine.setAsk(application("starved"), new long[] {1}, 1);
    }

    private static ShareOrder order(String name) {
        return ORDERS.create(name, new SplittableRandom(1));
    }

    private void queue(String name, double weight) {
        Schedulable queue = engine.addGroup(engine.root(), name, order("fifo"), new double[] {weight});
        applications.put(name, engine.addApplication(queue, name, new double[] {1}, 0));
    }

    private Schedulable application(String queue) {
        return Objects.requireNonNull(applications.get(queue));
    }

    /**
     * Containers on two nodes as "queue:cores:seconds that it has run", with "!" after a master; "/" parts the nodes.
     */
    private List<CandidateNode> nodes(String text) {
        List<CandidateNode> nodes = new ArrayList<>();
        long sequence = 0;
        for (String node : text.split("/", -1)) {
            List<VictimCandidate> held = new ArrayList<>();
            for (String container : node.strip().split(" ", -1)) {
                String[] parts = container.replace("!", "").split(":", -1);
                Schedulable owner = application(parts[0]);
                long[] size = {Long.parseLong(parts[1])};
                engine.hold(owner, size);
                held.add(new VictimCandidate(
                        owner,
                        size,
                        container.endsWith("!"),
                        container.endsWith("!"),
                        10,
                        ++sequence,
                        Long.parseLong(parts[2]) * 1_000,
                        (double) size[0] / CORES,
                        container));
            }
            nodes.add(new CandidateNode("node" + nodes.size(), new long[] {0}, held, node));
        }
        return nodes;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "the youngest on a node | 1 | free1:1:900 free1:1:30 free1:1:600 | free1:1:30",
                "the youngest of all queues without a weight | 1 | free1:1:900 free2:1:500 free1:1:30 | free1:1:30",
                "the node where the least is lost | 1 | free1:1:900 free1:1:800 / free2:1:40 free2:1:50 | free2:1:40",
                "a weight protects even a younger container | 1 | rich:10:5 free1:1:900 free2:1:800 | free2:1:800",
                "on all nodes | 1 | rich:10:5 / free1:1:900 free2:1:800 | free2:1:800",
                "those with a weight above their share go where nothing else can | 1 | rich:1:5 rich:15:7 | rich:1:5",
                "several young ones rather than one old | 2 | free1:2:900 free1:1:30 free2:1:40 | free1:1:30 free2:1:40",
                "a large one makes small ones needless, the oldest first | 4"
                        + " | free1:1:10 free1:1:20 free1:3:30 free2:9:999 | free1:1:10 free1:3:30",
                "the least work, not the fewest containers | 4"
                        + " | free1:4:900 / free2:1:10 free2:1:20 free2:1:30 free2:1:40"
                        + " | free2:1:10 free2:1:20 free2:1:30 free2:1:40",
                "a master last, though it is the youngest | 1 | free1:1:5! free1:1:900 | free1:1:900",
                "no master without permission | 1 | free1:1:5! | -"
            })
    void whereWorkIsSparedTheLeastWorkIsLost(String name, long need, String held, @Nullable String expected) {
        assertThat(victims(need, held, true)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "the last allocated of the queue that came last | 1 | free1:1:900 free2:1:500 free1:1:30 | free2:1:500",
                "age in seconds does not count | 1 | free2:1:900 free2:1:30 free2:1:600 | free2:1:600",
                "the fewest containers | 4"
                        + " | free1:4:900 / free2:1:10 free2:1:20 free2:1:30 free2:1:40 | free1:4:900"
            })
    void elseSharesAloneDecide(String name, long need, String held, String expected) {
        assertThat(victims(need, held, false)).isEqualTo(expected);
    }

    private @Nullable String victims(long need, String held, boolean sparesWork) {
        List<CandidateNode> nodes = nodes(held);
        engine.renew();
        Schedulable starved = application("starved");
        Starvation starvation =
                new Starvation(Objects.requireNonNull(starved.parent()), Starvation.Kind.BELOW_SHARE, 0, 1);
        Trial trial = engine.trial();
        try {
            VictimSet chosen = new VictimSelector(engine.root(), trial, sparesWork)
                    .choose(starvation, starved, new long[] {need}, 1, nodes, false);
            return chosen == null
                    ? null
                    : String.join(
                            " ",
                            chosen.marked().stream()
                                    .map(VictimCandidate::tag)
                                    .map(Object::toString)
                                    .toList());
        } finally {
            trial.revert();
        }
    }
}
