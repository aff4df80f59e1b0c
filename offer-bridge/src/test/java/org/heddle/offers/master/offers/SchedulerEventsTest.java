// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class SchedulerEventsTest {
    private final ClusterState state = new ClusterState();
    private final SchedulerEvents events =
            new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
    private final FrameworkRole role = role();

    private FrameworkRole role() {
        Framework framework = new Framework(
                "f", FrameworkInfo.newBuilder().setUser("u").setName("f").build());
        state.add(framework);
        return state.addRole(framework, "*");
    }

    private OutstandingOffer offer(String id, String host) {
        AgentContainer container =
                new AgentContainer("c-" + id, role, host + ":1", host, Resources.of(1000, 512), 1_000_000);
        state.add(container);
        return new OutstandingOffer(id, container, container.free(), 1_000_000, 0);
    }

    private static List<String> ids(Event event) {
        return event.getOffers().getOffersList().stream()
                .map(offer -> offer.getId().getValue())
                .toList();
    }

    @Test
    void noEventHasTwoOffersOfOneAgent() {
        List<Event> made = events.offers(
                List.of(offer("1", "a"), offer("2", "b"), offer("3", "a"), offer("4", "a"), offer("5", "b")),
                state,
                TestClocks::date);
        assertThat(made.stream().map(SchedulerEventsTest::ids))
                .containsExactly(List.of("1", "2"), List.of("3", "5"), List.of("4"));
        assertThat(events.offers(List.of(), state, TestClocks::date)).isEmpty();
    }
}
