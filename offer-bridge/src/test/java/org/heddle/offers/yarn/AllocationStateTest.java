// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class AllocationStateTest {
    private static final Resources SMALL = Resources.of(1000, 512);
    private static final Resources LARGE = Resources.of(2000, 1024);

    private final AllocationState state = new AllocationState();

    private static Container container(long number) {
        return Container.newInstance(
                ContainerId.newContainerId(
                        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1_700_000_000_000L, 1), 1), number),
                NodeId.newInstance("node1", 1),
                "node1:2",
                Resource.newInstance(1024, 2),
                Priority.newInstance(10),
                null);
    }

    private AllocationState.Changes heartbeat() {
        AllocationState.Changes changes = state.changes();
        state.sent(changes);
        return changes;
    }

    /** Size and number of each row, as {@code 512x3}. */
    private static List<String> rows(AllocationState.Changes changes) {
        return changes.asks().stream().map(AllocationStateTest::row).toList();
    }

    private static String row(ResourceRequest request) {
        return request.getCapability().getMemorySize() + "x" + request.getNumContainers();
    }

    @Test
    void anAskGoesOutOnce() {
        state.ask(new ContainerAsk(SMALL, 3), Set.of());
        assertThat(rows(heartbeat())).containsExactly("512x3");
        assertThat(rows(heartbeat())).isEmpty();
        assertThat(state.isBusy()).isTrue();
    }

    @Test
    void anotherSizeWithdrawsTheOneBefore() {
        state.ask(new ContainerAsk(SMALL, 3), Set.of());
        heartbeat();
        state.ask(new ContainerAsk(LARGE, 1), Set.of());
        assertThat(rows(heartbeat())).containsExactly("512x0", "1024x1");
        state.ask(new ContainerAsk(Resources.NONE, 0), Set.of());
        assertThat(rows(heartbeat())).containsExactly("1024x0");
        assertThat(state.isResting()).isTrue();
    }

    @Test
    void grantsAreNoLongerAskedFor() {
        state.ask(new ContainerAsk(SMALL, 1), Set.of());
        heartbeat();
        assertThat(state.granted(List.of(container(2)))).containsExactly(container(2));
        assertThat(state.isBusy()).isFalse();
        assertThat(state.holdsContainers()).isTrue();
        assertThat(state.granted(List.of(container(2)))).as("told again").isEmpty();
    }

    @Test
    void onlyTheDifferenceOfRefusedHostsIsTold() {
        state.ask(new ContainerAsk(SMALL, 1), Set.of("a", "b"));
        heartbeat();
        state.ask(new ContainerAsk(SMALL, 1), Set.of("b", "c"));
        AllocationState.Changes changes = heartbeat();
        assertThat(changes.blacklist().getBlacklistAdditions()).containsExactly("c");
        assertThat(changes.blacklist().getBlacklistRemovals()).containsExactly("a");
    }

    @Test
    void anOrderIsKeptUntilAHeartbeatWasAnswered() {
        state.granted(List.of(container(2), container(3)));
        state.release(container(2).getId().toString());
        assertThat(state.resize(container(3).getId().toString(), SMALL)).isTrue();
        state.changes();
        AllocationState.Changes again = state.changes();
        assertThat(again.releases()).containsExactly(container(2).getId());
        assertThat(again.resizes()).singleElement().satisfies(shrink -> {
            assertThat(shrink.getContainerUpdateType()).isEqualTo(ContainerUpdateType.DECREASE_RESOURCE);
            assertThat(shrink.getCapability()).isEqualTo(Resource.newInstance(512, 1));
        });
        state.sent(again);
        assertThat(heartbeat().releases()).isEmpty();
        assertThat(state.isBusy()).isFalse();
    }

    @Test
    void anAskWhoseHeartbeatFailedIsSentAgainAndALaterOneAfterIt() {
        state.ask(new ContainerAsk(SMALL, 3), Set.of());
        AllocationState.Changes lost = state.changes();
        assertThat(rows(lost)).containsExactly("512x3");
        state.ask(new ContainerAsk(LARGE, 1), Set.of());
        assertThat(rows(heartbeat())).as("the ResourceManager may have it").containsExactly("512x3");
        assertThat(rows(heartbeat())).containsExactly("512x0", "1024x1");
        assertThat(rows(heartbeat())).isEmpty();
    }

    @Test
    void anAskThatIsRefusedIsNotSentAgain() {
        state.granted(List.of(container(2)));
        state.release(container(2).getId().toString());
        state.ask(new ContainerAsk(LARGE, 1), Set.of());
        state.refused(state.changes());
        AllocationState.Changes next = heartbeat();
        assertThat(rows(next)).isEmpty();
        assertThat(next.releases()).hasSize(1);
        state.ask(new ContainerAsk(SMALL, 1), Set.of());
        assertThat(rows(heartbeat())).containsExactly("512x1");
    }

    @Test
    void anOrderThatComesDuringAHeartbeatIsInTheNextOne() {
        state.granted(List.of(container(2), container(3)));
        state.release(container(2).getId().toString());
        AllocationState.Changes first = state.changes();
        state.release(container(3).getId().toString());
        state.sent(first);
        assertThat(heartbeat().releases()).containsExactly(container(3).getId());
    }

    @Test
    void aContainerThatIsGoneCannotBecomeSmaller() {
        assertThat(state.resize(container(2).getId().toString(), SMALL)).isFalse();
        state.granted(List.of(container(2)));
        state.completed(container(2).getId());
        assertThat(state.resize(container(2).getId().toString(), SMALL)).isFalse();
    }

    @Test
    void anotherResourceManagerIsToldEverythingAgain() {
        state.ask(new ContainerAsk(SMALL, 3), Set.of("a"));
        state.granted(List.of(container(2)));
        state.release(container(2).getId().toString());
        heartbeat();
        state.registered(List.of(container(2)), Set.of(), null);
        AllocationState.Changes changes = heartbeat();
        assertThat(rows(changes)).containsExactly("512x2");
        assertThat(changes.releases()).containsExactly(container(2).getId());
        assertThat(changes.blacklist().getBlacklistAdditions()).containsExactly("a");
    }

    @Test
    void whatAnApplicationThatWasTakenOverAskedForIsWithdrawn() {
        state.registered(List.of(container(2)), Set.of("a"), Resource.newInstance(1024, 2));
        AllocationState.Changes changes = heartbeat();
        assertThat(rows(changes)).containsExactly("1024x0");
        assertThat(changes.blacklist().getBlacklistRemovals()).containsExactly("a");
        assertThat(state.container(container(2).getId().toString())).isEqualTo(container(2));
    }
}
