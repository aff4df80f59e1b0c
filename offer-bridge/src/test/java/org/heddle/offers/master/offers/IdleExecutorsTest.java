// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.EventList;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateChanges;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers whose executors have no tasks, while applications of others wait. */
class IdleExecutorsTest {
    private static final long START = 1_000_000;
    private static final Resources SIZE = Resources.of(1000, 512);

    private final ClusterState state = new ClusterState();
    private final List<Event> events = new ArrayList<>();

    @TempDir
    Path directory;

    private Journal journal;
    private OfferManager offers;
    private ReclaimManager reclaims;
    private FrameworkRole role;

    @BeforeEach
    void begin() throws Exception {
        journal = Journal.open(directory);
        StateExecutor executor = new StateExecutor(TestClocks.of(() -> START), journal, () -> {});
        MasterSettings settings = TestBridges.settings(directory, 0, 0).limits();
        Counters counters = new Counters();
        InverseOffers inverseOffers = new InverseOffers(state, counters);
        MasterParts parts = new MasterParts(state, executor, new GenerousCluster(), settings, counters, new Warnings());
        offers = new OfferManager(
                parts,
                new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
                inverseOffers);
        reclaims = new ReclaimManager(parts, offers, inverseOffers);
        Framework framework = new Framework(
                "holder",
                FrameworkInfo.newBuilder().setUser("u").setName("holder").build());
        framework.connect("stream", new EventList<>(events), START);
        state.add(framework);
        role = state.addRole(framework, "*");
    }

    @AfterEach
    void end() throws Exception {
        journal.close();
    }

    private AgentContainer container(String id) {
        return container(id, "node-of-" + id);
    }

    private AgentContainer container(String id, String node) {
        AgentContainer container = new AgentContainer(id, role, node, "host", SIZE, START);
        container.setPhase(ContainerPhase.RUNNING);
        state.add(container);
        ExecutorInfo info = ExecutorInfo.newBuilder()
                .setExecutorId(ExecutorID.newBuilder().setValue("executor-" + id))
                .build();
        state.add(new FrameworkExecutor(container, info, Resources.of(100, 64)));
        return container;
    }

    private FrameworkTask task(AgentContainer container) {
        TaskInfo info = TaskInfo.newBuilder()
                .setName("task")
                .setTaskId(TaskID.newBuilder().setValue("task"))
                .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                .build();
        return new FrameworkTask(info, role.framework(), container, Resources.of(100, 64), "");
    }

    private void othersWait() {
        offers.pending(TestClocks.change(START), 5);
        offers.pending(TestClocks.change(START), 5);
    }

    /** The agents about which the framework gets inverse offers at that time. */
    private List<String> asked(long now) {
        events.clear();
        StateChange change = TestClocks.change(now);
        reclaims.askForIdle(change);
        StateChanges.runEffects(change);
        return events.stream()
                .flatMap(event -> event.getInverseOffers().getInverseOffersList().stream())
                .map(inverse -> inverse.getAgentId().getValue())
                .toList();
    }

    @Test
    void theFrameworkIsAskedForThemAfterAWhile() {
        AgentContainer idle = container("idle");
        AgentContainer busy = container("busy");
        state.add(task(busy));
        othersWait();
        assertThat(asked(START)).isEmpty();
        assertThat(asked(START + 9_999)).isEmpty();
        assertThat(asked(START + 10_000)).containsExactly(idle.agentId());
        assertThat(idle.isLeaving()).as("its rest is not offered").isTrue();
        assertThat(asked(START + 30_000)).as("it knows already").isEmpty();
    }

    @Test
    void nobodyWaits() {
        container("idle");
        assertThat(asked(START)).isEmpty();
        assertThat(asked(START + 60_000)).isEmpty();
        othersWait();
        assertThat(asked(START + 60_001)).hasSize(1);
    }

    @Test
    void anExecutorThatRunsATaskOfAnotherContainerIsNotIdle() {
        AgentContainer home = container("home");
        AgentContainer other = container("other", home.node());
        FrameworkTask running = task(other);
        running.setReporter(home);
        state.add(running);
        othersWait();
        assertThat(asked(START)).isEmpty();
        assertThat(asked(START + 20_000)).isEmpty();
    }
}
