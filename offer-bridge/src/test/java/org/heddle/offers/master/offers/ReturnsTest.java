// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.EventList;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.Transfers.Quota;
import org.heddle.offers.store.Journal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tasks of all containers of a framework end at the same moment, before it is decided again how many it returns.
 */
class ReturnsTest {
    private static final long START = 1_000_000;
    private static final Resources SIZE = Resources.of(1000, 512);
    private static final int CONTAINERS = 8;

    private static final class NoLink implements AgentLink {
        @Override
        public void send(byte[] frame) {}

        @Override
        public void close() {}
    }

    private final ClusterState state = new ClusterState();
    private Journal journal;
    private OfferManager offers;
    private FrameworkRole first;
    private FrameworkRole newcomer;

    @BeforeEach
    void begin(@TempDir Path directory) throws Exception {
        Counters counters = new Counters();
        journal = Journal.open(directory);
        offers = new OfferManager(
                new MasterParts(
                        state,
                        new StateExecutor(TestClocks.of(() -> START), journal, () -> {}),
                        new GenerousCluster(),
                        TestBridges.settings(directory, 0, 0).limits(),
                        counters,
                        new Warnings()),
                new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
                new InverseOffers(state, counters));
        first = role("first");
        newcomer = role("newcomer");
        for (int i = 0; i < CONTAINERS; i++) {
            AgentContainer container = new AgentContainer("c" + i, first, "node", "host", SIZE, START);
            container.setPhase(ContainerPhase.RUNNING);
            state.add(container);
        }
    }

    @AfterEach
    void end() throws Exception {
        journal.close();
    }

    private FrameworkRole role(String name) {
        Framework framework = new Framework(
                name, FrameworkInfo.newBuilder().setUser("u").setName(name).build());
        framework.connect("stream-" + name, new EventList<>(), START);
        state.add(framework);
        FrameworkRole role = state.addRole(framework, "*");
        role.setPlacement(new QueuePlacement("root.default", "u"));
        return role;
    }

    /** The tasks of so many containers end at that time, before it is decided again. */
    private void tasksEnd(int containers, long time) {
        StateChange change = TestClocks.change(time);
        first.containers().values().stream()
                .filter(container -> container.offer() == null)
                .limit(containers)
                .toList()
                .forEach(container -> offers.consider(change, container));
    }

    @ParameterizedTest(name = "{0} and a turn: {1}")
    @CsvSource({"0, false, 0", "4, false, 4", "0, true, 1", "3, true, 4"})
    void noMoreAreReturnedThanDecided(int returns, boolean turn, int gone) {
        first.setQuota(new Quota(returns, turn));
        tasksEnd(CONTAINERS, START + 60_000);
        assertThat(first.containers()).hasSize(CONTAINERS - gone);
        assertThat(state.offers()).as("the others are offered again").hasSize(CONTAINERS - gone);
    }

    /** It has waited for as long as a task runs, and not because its ask is too large. */
    @Test
    void aNewcomerThatHasWaitedForLongIsGivenTimeForWhatWasReturned() {
        newcomer.setAsked(new ContainerAsk(SIZE, 1), Set.of());
        newcomer.setAskingSince(START);
        first.setQuota(new Quota(4, false));
        tasksEnd(4, START + 60_000);
        assertThat(first.containers()).hasSize(4);
        tasksEnd(1, START + 62_500);
        assertThat(first.containers()).as("those are on their way").hasSize(4);
        tasksEnd(1, START + 63_001);
        assertThat(first.containers()).as("they did not help").hasSize(3);
    }

    /**
     * Its tasks end one after the other within a second: a smaller container would be of no use to who waits for a
     * whole one.
     */
    @Test
    void aContainerOnItsWayBackShrinksOnlyWhenItsTasksDoNotEnd() {
        Resources node = Resources.of(8_000, 8 * (512 + 64));
        state.setNodes(
                List.of(new ClusterNode("node", "node", "127.0.0.1", "/rack", "", node, node, true, 0, Map.of())));
        newcomer.setAsked(new ContainerAsk(SIZE, 1), Set.of());
        newcomer.setAskingSince(START);
        AgentContainer container = Objects.requireNonNull(state.container("c0"));
        state.connect(container, new NoLink());
        state.add(task(container));
        container.setUnwantedSince(START); // it was full
        first.setQuota(new Quota(1, false));
        offers.consider(TestClocks.change(START + 60_000), container);
        assertThat(container.offer()).isNull();
        assertThat(container.total()).isEqualTo(SIZE);
        offers.consider(TestClocks.change(START + 70_000), container);
        assertThat(container.offer()).isNull();
        assertThat(container.total()).isEqualTo(Resources.of(1000, 256));
    }

    /** It got new tasks before it was decided that one more returns, and another one has only old tasks. */
    @Test
    void aContainerWithNewTasksStaysInsteadOfOneWhoseTasksEnd() {
        long time = START + 60_000;
        AgentContainer fresh = Objects.requireNonNull(state.container("c0"));
        AgentContainer old = Objects.requireNonNull(state.container("c1"));
        for (AgentContainer container : List.of(fresh, old)) {
            state.add(task(container));
            container.setLaunchedAt(START);
        }
        fresh.setLaunchedAt(time);
        first.setQuota(new Quota(1, false));
        offers.consider(TestClocks.change(time), fresh);
        assertThat(fresh.lease().drainUntil()).isPositive();
        offers.consider(TestClocks.change(time + 100), old);
        assertThat(old.lease().drainUntil()).isPositive();
        assertThat(fresh.lease().drainUntil()).isZero();
        assertThat(fresh.offer()).isNotNull();
        AgentContainer third = Objects.requireNonNull(state.container("c2"));
        third.setLaunchedAt(START);
        offers.consider(TestClocks.change(time + 200), third);
        assertThat(old.lease().drainUntil())
                .as("the one that has run for as long")
                .isPositive();
    }

    private FrameworkTask task(AgentContainer container) {
        TaskInfo info = TaskInfo.newBuilder()
                .setName("task")
                .setTaskId(TaskID.newBuilder().setValue("task in " + container.id()))
                .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                .build();
        return new FrameworkTask(info, first.framework(), container, Resources.of(500, 256), "");
    }

    /**
     * Three of four were returned and allocated; tasks of the fourth one end before it is known that the newcomer asks
     * again.
     */
    @Test
    void aNewcomerThatHasGotAPartOfItsShareGetsTheRest() {
        long time = START + 60_000;
        Contention contention = contention(8);
        newcomer.setAsked(new ContainerAsk(SIZE, 1), Set.of());
        newcomer.setAskingSince(START);
        for (int i = 0; i < 3; i++) {
            state.remove(Objects.requireNonNull(state.container("c" + i)));
            contention.returned(first, time);
            state.add(new AgentContainer("n" + i, newcomer, "node", "host", SIZE, time));
        }
        contention.allocated(newcomer, 3, time + 50);
        newcomer.setAsked(new ContainerAsk(SIZE, 0), Set.of());
        newcomer.setAskingSince(0);
        contention.share(time + 100);
        assertThat(first.quota()).isEqualTo(new Quota(1, false));
        contention.share(time + 3_051);
        assertThat(first.quota()).as("it wants no more").isEqualTo(Quota.NONE);
    }

    /** In a cluster of one node with room for eight containers, of which so many are used by its last report. */
    private Contention contention(long used) {
        Resources node = Resources.of(8_000, 8 * (512 + 64));
        Resources full = Resources.of(used * 1_000, used * (512 + 64));
        state.setNodes(
                List.of(new ClusterNode("node", "node", "127.0.0.1", "/rack", "", node, full, true, 0, Map.of())));
        Contention contention = new Contention(
                state, TestBridges.settings(Path.of("unused"), 0, 0).limits());
        contention.nodesChanged();
        return contention;
    }

    /** Between its first containers and its next ask the rest of what was returned is free. */
    @Test
    void whoHasReturnedContainersDoesNotTakeThemBackBeforeTheNewcomer() {
        long time = START + 60_000;
        Contention contention = contention(6);
        for (int i = 0; i < 4; i++) {
            state.remove(Objects.requireNonNull(state.container("c" + i)));
            contention.returned(first, time);
        }
        contention.allocated(newcomer, 2, time + 300);
        newcomer.setAsked(new ContainerAsk(SIZE, 0), Set.of());
        for (int i = 0; i < 2; i++) {
            state.add(new AgentContainer("n" + i, newcomer, "node", "host", SIZE, time));
        }
        contention.share(time + 350);
        assertThat(first.mayAsk()).isZero();
        contention.share(time + 3_301);
        assertThat(first.mayAsk()).as("it wants no more").isEqualTo(Integer.MAX_VALUE);
    }
}
