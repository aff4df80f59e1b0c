// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.LeasePolicy;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
    private static final Resources SIZE = Resources.of(1000, 1024);

    private final ClusterState state = new ClusterState();
    private final Framework framework = new Framework("fw", FrameworkInfo.getDefaultInstance());
    private final FrameworkRole role;
    private final AgentContainer container;

    ClusterStateTest() {
        state.add(framework);
        role = state.addRole(framework, "r");
        container = container("c1");
        state.add(container);
    }

    private AgentContainer container(String id) {
        return new AgentContainer(id, role, "n1:1", "n1", SIZE, 0);
    }

    private OutstandingOffer offer(String id, AgentContainer of) {
        return new OutstandingOffer(id, of, SIZE, 0, 0);
    }

    private FrameworkTask task(String id, AgentContainer in) {
        TaskInfo info = TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(AgentID.newBuilder().setValue(in.agentId()))
                .setCommand(CommandInfo.newBuilder().setValue("true"))
                .build();
        return new FrameworkTask(info, framework, in, SIZE, "");
    }

    private static final class Link implements AgentLink {
        @Override
        public void send(byte[] frame) {}

        @Override
        public void close() {}
    }

    private static ClusterNode node(String name, Resources total, boolean usable) {
        return new ClusterNode(
                name + ":1", name, "10.0.0.1", "/rack", name + ":2", total, Resources.NONE, usable, 0, Map.of());
    }

    @Test
    void whatIsAddedIsInAllIndices() {
        state.add(offer("o1", container));
        state.add(task("t1", container));
        assertThat(role.containers()).containsOnlyKeys("c1");
        assertThat(state.containersOn("n1:1")).containsExactly(container);
        assertThat(framework.offers()).containsExactlyElementsOf(state.offers().values());
        assertThat(container.tasks()).isEqualTo(framework.tasks()).containsOnlyKeys("t1");
        assertThat(state.addRole(framework, "r")).as("added once").isSameAs(role);
        state.assertConsistent();
    }

    @Test
    void aContainerGoesWithItsOffer() {
        state.add(offer("o1", container));
        assertThat(state.remove(container)).isTrue();
        assertThat(state.remove(container)).as("it has gone").isFalse();
        assertThat(state.offers()).isEmpty();
        assertThat(role.containers()).isEmpty();
        assertThat(state.containersOn("n1:1")).isEmpty();
        assertThat(state.contains(container)).isFalse();
        state.assertConsistent();
    }

    @Test
    void eachNodeHasItsContainers() {
        AgentContainer beside = container("c2");
        AgentContainer elsewhere = new AgentContainer("c3", role, "n2:1", "n2", SIZE, 0);
        state.add(beside);
        state.add(elsewhere);
        assertThat(state.containersOn("n1:1")).containsExactly(container, beside);
        state.remove(container);
        assertThat(state.containersOn("n1:1")).containsExactly(beside);
        assertThat(state.containersOn("n2:1")).containsExactly(elsewhere);
        assertThat(state.containersOfAgent(elsewhere.agentId())).containsExactly(elsewhere);
        state.assertConsistent();
    }

    @Test
    void aNewConnectionReplacesTheOldOne() {
        Link first = new Link();
        Link second = new Link();
        assertThat(state.connect(container, first)).isNull();
        assertThat(state.connect(container, first)).isNull();
        assertThat(state.connect(container, second)).isSameAs(first);
        state.disconnect(first);
        assertThat(container.link()).isSameAs(second);
        assertThat(state.connected(first)).isNull();
        assertThat(state.connected(second)).isSameAs(container);
        state.assertConsistent();
        state.disconnect(second);
        assertThat(container.link()).isNull();
        state.assertConsistent();
    }

    @Test
    void completedTasksLeaveTheirContainerAndAreRemembered() {
        for (int i = 0; i < 201; i++) {
            FrameworkTask task = task("t" + i, container);
            state.add(task);
            state.complete(task);
        }
        assertThat(container.tasks()).isEmpty();
        assertThat(framework.tasks()).isEmpty();
        assertThat(framework.completed()).as("the last 200, newest first").hasSize(200);
        assertThat(framework.completed().iterator().next().id()).isEqualTo("t200");
    }

    @Test
    void removedFrameworksAreRemembered() {
        state.remove(container);
        state.remove(framework);
        assertThat(state.isRemoved("fw")).isTrue();
        assertThat(state.frameworks()).isEmpty();
        state.assertConsistent();
        for (int i = 1; i < 10_000; i++) {
            assertThat(state.addRemoved("fw-" + i)).isNull();
        }
        assertThat(state.addRemoved("one-more")).isEqualTo("fw");
        assertThat(state.isRemoved("fw")).isFalse();
    }

    @Test
    void theLastTasksThatHaveEndedAreRemembered() {
        for (int i = 0; i < 101; i++) {
            state.ended(task("t" + i, container), TaskState.TASK_FINISHED, "message " + i, i);
        }
        assertThat(state.endedTasks()).as("the last 100, newest first").hasSize(100);
        assertThat(state.endedTasks().iterator().next().message()).isEqualTo("message 100");
    }

    @Test
    void onlyUsableNodesCount() {
        state.setNodes(List.of(
                node("a", Resources.of(8, 100), true),
                node("b", Resources.of(4, 200), true),
                node("c", Resources.of(99, 999), false)));
        assertThat(state.usableNodes()).isEqualTo(2);
        assertThat(state.largestNode()).isEqualTo(Resources.of(8, 200));
        assertThat(state.total()).isEqualTo(Resources.of(12, 300));
        assertThat(state.usableHost(ClusterState.agentId("a:1"))).isEqualTo("a");
        assertThat(state.usableHost(ClusterState.agentId("c:1"))).isNull();
        state.assertConsistent();
    }

    @Test
    void nodesComeAndGo() {
        Resources size = Resources.of(8, 100);
        assertThat(state.setNodes(List.of(node("b", size, true), node("a", size, true))))
                .isEmpty();
        assertThat(state.sortedNodes()).extracting(ClusterNode::host).containsExactly("a", "b");
        assertThat(state.setNodes(List.of(node("b", size, false), node("c", Resources.of(4, 100), true))))
                .as("those before")
                .containsOnlyKeys("a:1", "b:1");
        assertThat(state.hasNode(ClusterState.agentId("a:1"))).isFalse();
        assertThat(state.usableHost(ClusterState.agentId("a:1"))).isNull();
        assertThat(state.hasNode(ClusterState.agentId("b:1"))).isTrue();
        assertThat(state.usableHost(ClusterState.agentId("b:1"))).isNull();
        assertThat(state.usableHost(ClusterState.agentId("c:1"))).isEqualTo("c");
        assertThat(state.total()).isEqualTo(Resources.of(4, 100));
        state.assertConsistent();
    }

    @Test
    void theFiguresOfARoleFollowItsContainers() {
        AgentContainer second = container("c2");
        second.setPhase(ContainerPhase.RUNNING);
        state.add(second);
        assertThat(role.held()).isEqualTo(SIZE.times(2));
        assertThat(role.unanswered()).isEqualTo(1);
        container.setPhase(ContainerPhase.STARTING);
        container.setLease(new LeasePolicy.Lease(0, 1_000));
        container.resized(SIZE.times(3));
        second.setLeaving(true);
        FrameworkExecutor executor = new FrameworkExecutor(second, ExecutorInfo.getDefaultInstance(), SIZE);
        state.add(executor);
        assertThat(role.held()).isEqualTo(SIZE.times(4));
        assertThat(role.sizes()).isEqualTo(Map.of(SIZE, 1, SIZE.times(3), 1));
        assertThat(role.unanswered()).isZero();
        assertThat(role.draining(999)).containsExactly(container);
        assertThat(role.draining(1_000)).isEmpty();
        assertThat(role.staying()).isEqualTo(1);
        assertThat(role.withoutExecutors()).isEqualTo(1);
        state.assertConsistent();
        state.remove(executor);
        assertThat(role.withoutExecutors()).isEqualTo(2);
        state.remove(container);
        container.setTotal(SIZE.times(9));
        assertThat(role.held()).as("without the one that has gone").isEqualTo(SIZE);
        assertThat(role.draining(999)).isEmpty();
        state.assertConsistent();
    }

    // ---- the check finds what does not agree ----

    private void isInconsistent(String message) {
        assertThatThrownBy(state::assertConsistent)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aContainerThatOnlyItsRoleHas() {
        role.put(container("c2"));
        isInconsistent("other containers than the state");
    }

    @Test
    void anOfferThatOnlyItsContainerHas() {
        container.setOffer(offer("o1", container));
        isInconsistent("not outstanding");
    }

    @Test
    void anOfferThatItsContainerDoesNotHave() {
        state.add(offer("o1", container));
        container.setOffer(null);
        isInconsistent("offer o1");
    }

    @Test
    void aTaskThatOnlyItsContainerHas() {
        container.put(task("t1", container));
        isInconsistent("task t1");
    }

    @Test
    void aRunningTaskWithoutItsContainer() {
        state.add(task("t1", container));
        state.remove(container);
        isInconsistent("task t1 has not ended");
    }

    @Test
    void anInverseOfferForAContainerThatHasGone() {
        state.add(framework, new InverseOffer("i1", container, SIZE, 0));
        state.remove(container);
        isInconsistent("inverse offer i1");
    }

    @Test
    void aConnectionThatOnlyTheContainerHas() {
        container.setLink(new Link());
        isInconsistent("unknown connection");
    }

    @Test
    void aConnectionToAContainerWithAnotherOne() {
        state.connect(container, new Link());
        container.setLink(null);
        isInconsistent("has another one");
    }

    @Test
    void aContainerOfARemovedFramework() {
        state.remove(framework);
        isInconsistent("the roles have other containers");
    }
}
