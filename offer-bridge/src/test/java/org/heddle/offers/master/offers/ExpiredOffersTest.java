// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offers that their framework neither accepts nor declines. */
class ExpiredOffersTest {
    private static final long START = 1_000_000;
    private static final Resources SIZE = Resources.of(1000, 512);

    /**
     * Its tasks use less than it counts for them, so the size that was learned is too small, and it waits for a larger
     * offer.
     */
    @Test
    void aFrameworkThatKeepsOffersGetsLargerOnes(@TempDir Path directory) throws Exception {
        ClusterState state = new ClusterState();
        Counters counters = new Counters();
        MasterSettings settings = TestBridges.settings(directory, 0, 0).limits();
        try (Journal journal = Journal.open(directory)) {
            OfferManager offers = new OfferManager(
                    new MasterParts(
                            state,
                            new StateExecutor(TestClocks.of(() -> START), journal, () -> {}),
                            new GenerousCluster(),
                            settings,
                            counters,
                            new Warnings()),
                    new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
                    new InverseOffers(state, counters));
            Framework framework = new Framework(
                    "keeper",
                    FrameworkInfo.newBuilder().setUser("u").setName("keeper").build());
            state.add(framework);
            FrameworkRole role = state.addRole(framework, "*");
            role.responses().accepted(START, SIZE);
            AgentContainer container = new AgentContainer("c", role, "node", "host", SIZE, START);
            state.add(container);
            state.add(new OutstandingOffer("offer", container, SIZE, START, 0));

            offers.expire(TestClocks.change(START + settings.offerMillis() - 1));
            assertThat(role.responses().wantsOffersOf(SIZE)).isTrue();

            offers.expire(TestClocks.change(START + settings.offerMillis()));
            assertThat(state.offers()).isEmpty();
            assertThat(role.responses().wantsOffersOf(SIZE)).isFalse();
            assertThat(role.responses().wantsOffersOf(SIZE.times(2))).isTrue();
            assertThat(role.responses().declineRounds()).isEqualTo(1);
        }
    }
}
