// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thousands of random events against a ResourceManager; the accounting must balance after each, nothing may fail unseen, and
 * when everything has ended nothing may be left. {@code -Dheddle.chaos.events=100000 -Dheddle.chaos.check-every=1} for a
 * long run.
 */
@Tag("newer-line")
@SuppressWarnings("NullAway.Init") // fixture, nodes, masters, random and modes are set at the start of the test
class ChaosTest {
    private static final int EVENTS = Integer.getInteger("heddle.chaos.events", 3_000);
    private static final int CHECK_EVERY = Integer.getInteger("heddle.chaos.check-every", 5);
    private static final int RESTART_EVERY = 500;
    static final String[] LEAVES = {"root.a.x", "root.a.y", "root.b", "root.c"};
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <allocation>%s</allocation>
              <queue name="root">
                <fair-share-preemption-timeout>2s</fair-share-preemption-timeout><guarantee-preemption-timeout>1s</guarantee-preemption-timeout>
                <queue name="a"><weight>%s</weight><node-label name="own"><max-resources><resource name="memory-mb">70%%</resource></max-resources></node-label><queue name="x"><node-label name="lent"><guaranteed-resources><resource name="vcores">50%%</resource></guaranteed-resources></node-label></queue><queue name="y"/></queue>
                <queue name="b"><max-running-apps>4</max-running-apps></queue>
                <queue name="c"><guaranteed-resources><resource name="memory-mb">6000</resource></guaranteed-resources>
                </queue>
              </queue>
              <scheduling-delays><reservation>3s</reservation><reservation-expiry>20s</reservation-expiry></scheduling-delays>
              <preemption><mode>on</mode><grace-period>1s</grace-period><max-per-second>50%%</max-per-second>
                <reservation-timeout>2s</reservation-timeout></preemption>
            </heddle-scheduler>
            """;

    private static final AtomicLong PREEMPTED = new AtomicLong();

    @TempDir
    Path directory;

    private RmFixture fixture;
    private ChaosNodes nodes;
    private ChaosMasters masters;
    private SplittableRandom random;
    private long allocated;
    private List<String> modes;

    /** @param allocation heartbeat, immediate, or both: each configuration has one or the other */
    @ParameterizedTest
    @CsvSource({"1, heartbeat", "20260721, immediate", "77, both"})
    void nothingIsLeftWhenEverythingHasEnded(long seed, String allocation) throws Exception {
        random = new SplittableRandom(seed);
        modes = allocation.equals("both") ? List.of("immediate", "heartbeat") : List.of(allocation);
        try (RmFixture opened = new RmFixture(
                directory,
                QUEUES.formatted(modes.get(0), "2"),
                new RetainedStateStore(),
                "yarn.resourcemanager.recovery.enabled",
                "true",
                YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS,
                "20",
                YarnConfiguration.RM_AM_MAX_ATTEMPTS,
                "4",
                "yarn.scheduler.heddle.update-interval-ms",
                "0",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true",
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
                YarnConfiguration.SCHEDULER_RM_PLACEMENT_CONSTRAINTS_HANDLER)) {
            fixture = opened;
            nodes = new ChaosNodes(fixture, random);
            masters = new ChaosMasters(fixture, nodes, random);
            label(Map.of());
            for (int i = 0; i < 6; i++) {
                nodes.add();
            }
            for (int i = 0; i < EVENTS; i++) {
                String event = step();
                if (i % CHECK_EVERY == 0) {
                    balanced(i, event);
                }
                if (i % RESTART_EVERY == RESTART_EVERY - 1) {
                    restart();
                    balanced(i, "a restart");
                }
            }
            count();
            assertThat(allocated).as("the chaos does something").isGreaterThan(EVENTS / 10);
            masters.endEverything();
            nodes.finishEverything();
            masters.giveUpWhoSaidGoodbye();
            ClusterInvariants.empty(fixture.scheduler());
        }
    }

    /** Over all seeds: one of them may preempt nothing, as the ResourceManager's threads do not always take turns alike. */
    @AfterAll
    static void somethingWasPreempted() {
        assertThat(PREEMPTED).as("the chaos preempts something").hasPositiveValue();
    }

    private void balanced(int i, String event) {
        try {
            ClusterInvariants.balance(fixture.scheduler());
        } catch (AssertionError e) {
            throw new AssertionError("after event " + i + " (" + event + "): " + e.getMessage(), e);
        }
    }

    /** @return what happened, for a message */
    private String step() throws Exception {
        Event event = Event.LIKELY[random.nextInt(Event.LIKELY.length)];
        event.action.run(this);
        fixture.rm.drainEvents();
        return event.name();
    }

    /** What happens, and how often in a thousand. */
    @SuppressWarnings("ImmutableEnumChecker") // actions have no state
    private enum Event {
        NODE_HEARTBEAT(399, chaos -> chaos.nodes.heartbeat()),
        MASTER_HEARTBEAT(230, chaos -> chaos.masters.heartbeat()),
        SUBMIT(60, chaos -> chaos.masters.submit()),
        REGISTER(50, chaos -> chaos.masters.register()),
        END(30, chaos -> chaos.masters.endSome()),
        UPDATE_CONTAINER(40, chaos -> chaos.masters.update()),
        FAIL_MASTER(10, chaos -> chaos.masters.failMaster()),
        MOVE(30, ChaosTest::moveSome),
        PRIORITIZE(20, ChaosTest::prioritizeSome),
        ADD_NODE(15, chaos -> chaos.nodes.add()),
        LOSE_NODE(20, chaos -> chaos.nodes.lose()),
        NODE_COMES_BACK(10, chaos -> chaos.nodes.comeBack()),
        RECONNECT_NODE(10, chaos -> chaos.nodes.reconnect()),
        RESIZE_NODE(20, chaos -> chaos.nodes.resize()),
        RELABEL_NODE(10, chaos -> chaos.nodes.relabel()),
        KILL_CONTAINER(15, chaos -> chaos.nodes.killContainer()),
        TIME_PASSES(10, chaos -> chaos.fixture.clock.tick(chaos.random.nextInt(10_000))),
        HOUSEKEEPING(10, chaos -> chaos.fixture.scheduler().update()),
        CONFIGURE(11, ChaosTest::configure);

        private interface Action {
            void run(ChaosTest chaos) throws Exception;
        }

        private static final Event[] LIKELY = java.util.Arrays.stream(values())
                .flatMap(event -> java.util.Collections.nCopies(event.inThousand, event).stream())
                .toArray(Event[]::new);

        private final int inThousand;
        private final Action action;

        Event(int inThousand, Action action) {
            this.inThousand = inThousand;
            this.action = action;
        }
    }

    /** Another ResourceManager takes over from the same store: nodes and masters register again, one by one. */
    private void restart() throws Exception {
        count();
        Map<NodeId, Set<String>> labels =
                fixture.rm.getRMContext().getNodeLabelManager().getNodeLabels();
        fixture.replace();
        label(labels);
        masters.forgotten();
        nodes.registerAgain(() -> {
            try {
                masters.register();
                masters.heartbeat();
                ClusterInvariants.balance(fixture.scheduler());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private void label(Map<NodeId, Set<String>> ofNodes) throws Exception {
        RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("own", true), NodeLabel.newInstance("lent", false)));
        labels.replaceLabelsOnNode(ofNodes);
        fixture.rm.drainEvents();
    }

    private void count() {
        allocated += fixture.counter("containers-allocated");
        PREEMPTED.addAndGet(fixture.counter("preemption-containers-killed"));
        assertThat(fixture.counter("errors-contained"))
                .as("errors contained, see the log")
                .isZero();
    }

    private void configure() throws Exception {
        Path next = Files.writeString(
                directory.resolve("next.xml"), QUEUES.formatted(some(modes, random), 1 + random.nextInt(5)));
        Files.move(next, fixture.file, StandardCopyOption.ATOMIC_MOVE);
        fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
    }

    private void moveSome() throws Exception {
        List<ApplicationId> all = fixture.scheduler().getSchedulerApplications().keySet().stream()
                .sorted()
                .toList();
        if (all.isEmpty()) {
            return;
        }
        try {
            fixture.scheduler().moveApplication(some(all, random), LEAVES[random.nextInt(LEAVES.length)]);
        } catch (YarnException e) {
            assertThat(e.getMessage()).contains("the most that it may");
        }
    }

    private void prioritizeSome() throws Exception {
        if (!masters.registered().isEmpty()) {
            ApplicationId id = some(masters.registered(), random);
            if (fixture.scheduler().getSchedulerApplications().containsKey(id)) {
                fixture.scheduler()
                        .updateApplicationPriority(
                                Priority.newInstance(random.nextInt(5)),
                                id,
                                SettableFuture.create(),
                                UserGroupInformation.getCurrentUser());
            }
        }
    }

    static <T> T some(Collection<T> all, SplittableRandom random) {
        return all.stream().skip(random.nextInt(all.size())).findFirst().orElseThrow();
    }
}
