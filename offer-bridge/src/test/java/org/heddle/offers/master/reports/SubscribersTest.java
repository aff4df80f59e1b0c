// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.master.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateChanges;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class SubscribersTest {
    private final ClusterState state = new ClusterState();
    private final Subscribers subscribers = new Subscribers((change, viewer) -> new StateView(
            state,
            new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
            TestBridges.settings(Path.of("unused"), 0, 0).limits(),
            change.now(),
            change.date(),
            new Counters(),
            new Warnings(),
            0,
            0,
            new ShareHistory(),
            viewer));

    /** Records the events, in short. */
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

    private void inChange(Consumer<StateChange> work) {
        StateChange change = TestClocks.change(1_000);
        work.accept(change);
        StateChanges.runEffects(change);
    }

    private Framework framework(String id, String principal) {
        Framework made = new Framework(
                id,
                FrameworkInfo.newBuilder()
                        .setUser("u")
                        .setName(id)
                        .setPrincipal(principal)
                        .build());
        state.add(made);
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
        inChange(change -> {
            subscribers.add(change, "1", "", all, 15_000);
            subscribers.add(change, "2", "alice", alice, 15_000);
            subscribers.add(change, "3", "bob", bob, 15_000);
        });
        Framework late = framework("late", "alice");
        inChange(change -> subscribers.frameworkAdded(change, late));
        inChange(change -> subscribers.frameworkRemoved(change, late));
        assertThat(all.seen)
                .containsExactly("open 1", "SUBSCRIBED 1", "HEARTBEAT", "FRAMEWORK_ADDED", "FRAMEWORK_REMOVED");
        assertThat(alice.seen)
                .containsExactly("open 2", "SUBSCRIBED 1", "HEARTBEAT", "FRAMEWORK_ADDED", "FRAMEWORK_REMOVED");
        assertThat(bob.seen).containsExactly("open 3", "SUBSCRIBED 0", "HEARTBEAT");
    }

    @Test
    void nodesComeAndGoForAll() {
        Notes notes = new Notes();
        inChange(change -> subscribers.add(change, "1", "alice", notes, 15_000));
        notes.seen.clear();
        ClusterNode first = node("a");
        ClusterNode second = node("b");
        inChange(change -> subscribers.nodes(change, Map.of(), List.of(first)));
        inChange(change -> subscribers.nodes(change, Map.of(first.node(), first), List.of(first)));
        inChange(change -> subscribers.nodes(change, Map.of(first.node(), first), List.of(second)));
        assertThat(notes.seen).containsExactly("AGENT_ADDED", "AGENT_ADDED", "AGENT_REMOVED");
    }

    @Test
    void anEndedStreamGetsNothing() {
        Notes notes = new Notes();
        inChange(change -> subscribers.add(change, "1", "", notes, 15_000));
        subscribers.remove("1");
        notes.seen.clear();
        inChange(change -> subscribers.frameworkAdded(change, framework("late", "")));
        inChange(change -> subscribers.beat());
        assertThat(notes.seen).isEmpty();
    }
}
