// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.master.Protos.Event;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class SubscribersTest {
    private final ClusterState state = new ClusterState();
    private final Subscribers watchers = new Subscribers((turn, viewer) -> new StateView(
            state,
            new SchedulerEvents(new SchedulerEvents.Identity("bridge", "localhost", "127.0.0.1", 5050, false)),
            TestBridges.settings(Path.of("unused"), 0, 0).limits(),
            turn.now(),
            new Counters(),
            0,
            0,
            new ShareHistory(),
            viewer));

    /** Writes down what it is told, in short. */
    private static final class Notes implements EventSink<Event> {
        private final List<String> seen = new ArrayList<>();

        @Override
        public void open(String streamId) {
            seen.add("open " + streamId);
        }

        @Override
        public void refuse(int status, String message) {
            seen.add("refused " + status);
        }

        @Override
        public void send(Event event) {
            String detail = event.hasSubscribed()
                    ? " "
                            + event.getSubscribed()
                                    .getGetState()
                                    .getGetFrameworks()
                                    .getFrameworksCount()
                    : "";
            seen.add(event.getType() + detail);
        }

        @Override
        public void close() {
            seen.add("closed");
        }
    }

    private void inTurn(Consumer<StateChange> work) {
        StateChange turn = new StateChange(1_000);
        work.accept(turn);
        turn.effects().forEach(Runnable::run);
    }

    private ClusterState.Framework framework(String id, String principal) {
        ClusterState.Framework made = new ClusterState.Framework(
                id,
                FrameworkInfo.newBuilder()
                        .setUser("u")
                        .setName(id)
                        .setPrincipal(principal)
                        .build());
        state.frameworks.put(id, made);
        return made;
    }

    private static ClusterNode node(String name) {
        return new ClusterNode(
                name + ":1",
                name,
                "10.0.0.1",
                "/rack",
                name + ":2",
                Resources.of(8, 8),
                Resources.NONE,
                true,
                0,
                Map.of());
    }

    @Test
    void eachSeesItsOwnFrameworks() {
        framework("before", "alice");
        Notes all = new Notes();
        Notes alice = new Notes();
        Notes bob = new Notes();
        inTurn(turn -> {
            watchers.add(turn, "1", "", all, 15_000);
            watchers.add(turn, "2", "alice", alice, 15_000);
            watchers.add(turn, "3", "bob", bob, 15_000);
        });
        ClusterState.Framework late = framework("late", "alice");
        inTurn(turn -> watchers.frameworkAdded(turn, late));
        inTurn(turn -> watchers.frameworkRemoved(turn, late));
        assertThat(all.seen)
                .containsExactly("open 1", "SUBSCRIBED 1", "HEARTBEAT", "FRAMEWORK_ADDED", "FRAMEWORK_REMOVED");
        assertThat(alice.seen)
                .containsExactly("open 2", "SUBSCRIBED 1", "HEARTBEAT", "FRAMEWORK_ADDED", "FRAMEWORK_REMOVED");
        assertThat(bob.seen).containsExactly("open 3", "SUBSCRIBED 0", "HEARTBEAT");
    }

    @Test
    void nodesComeAndGoForAll() {
        Notes notes = new Notes();
        inTurn(turn -> watchers.add(turn, "1", "alice", notes, 15_000));
        notes.seen.clear();
        ClusterNode first = node("a");
        ClusterNode second = node("b");
        inTurn(turn -> watchers.nodes(turn, Map.of(), List.of(first)));
        inTurn(turn -> watchers.nodes(turn, Map.of(first.node(), first), List.of(first)));
        inTurn(turn -> watchers.nodes(turn, Map.of(first.node(), first), List.of(second)));
        assertThat(notes.seen).containsExactly("AGENT_ADDED", "AGENT_ADDED", "AGENT_REMOVED");
    }

    @Test
    void whoLeftIsToldNothing() {
        Notes notes = new Notes();
        inTurn(turn -> watchers.add(turn, "1", "", notes, 15_000));
        watchers.remove("1");
        notes.seen.clear();
        inTurn(turn -> watchers.frameworkAdded(turn, framework("late", "")));
        inTurn(watchers::beat);
        assertThat(notes.seen).isEmpty();
    }
}
