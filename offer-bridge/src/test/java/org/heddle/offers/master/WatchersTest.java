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
import org.heddle.offers.TestBridges;
import org.heddle.offers.model.Bundle;
import org.junit.jupiter.api.Test;

class WatchersTest {
    private final State state = new State();
    private final Watchers watchers = new Watchers((turn, viewer) -> new StateView(
            state,
            new Messages(new Messages.Identity("bridge", "localhost", "127.0.0.1", 5050, false)),
            TestBridges.settings(Path.of("unused"), 0, 0).limits(),
            turn.now(),
            new Tally(),
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

    private void inTurn(Consumer<Turn> work) {
        Turn turn = new Turn(1_000);
        work.accept(turn);
        turn.effects().forEach(Runnable::run);
    }

    private State.Framework framework(String id, String principal) {
        State.Framework made = new State.Framework(
                id,
                FrameworkInfo.newBuilder()
                        .setUser("u")
                        .setName(id)
                        .setPrincipal(principal)
                        .build());
        state.frameworks.put(id, made);
        return made;
    }

    private static NodeView node(String name) {
        return new NodeView(
                name + ":1", name, "10.0.0.1", "/rack", name + ":2", Bundle.of(8, 8), Bundle.NONE, true, 0, Map.of());
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
        State.Framework late = framework("late", "alice");
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
        NodeView first = node("a");
        NodeView second = node("b");
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
