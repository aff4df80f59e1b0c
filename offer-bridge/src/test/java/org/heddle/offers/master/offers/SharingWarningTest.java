// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.EventList;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.store.Journal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** YARN gives returned containers back to one framework while another one has none. */
class SharingWarningTest {
    private static final long START = 1_000_000;

    private final ClusterState state = new ClusterState();
    private final Warnings warnings = new Warnings();
    private final FrameworkRole served = role("served");
    private final FrameworkRole starved = role("starved");

    private FrameworkRole role(String name) {
        Framework framework = new Framework(
                name, FrameworkInfo.newBuilder().setUser("u").setName(name).build());
        framework.connect("stream-" + name, new EventList<>(), START);
        state.add(framework);
        return state.addRole(framework, "*");
    }

    @Test
    void theWarningLastsAsLongAsItHappens(@TempDir Path directory) throws Exception {
        try (Journal journal = Journal.open(directory)) {
            StateExecutor executor = new StateExecutor(TestClocks.of(() -> START), journal, () -> {});
            MasterSettings settings = TestBridges.settings(directory, 0, 0).limits();
            Counters counters = new Counters();
            OfferManager offers = new OfferManager(
                    new MasterParts(state, executor, new GenerousCluster(), settings, counters, warnings),
                    new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
                    new InverseOffers(state, counters));
            starved.setAskingSince(START);
            givenBack(offers, START + 19_999);
            assertThat(warnings.sentences())
                    .as("a scheduler that shares needs some time")
                    .isEmpty();
            givenBack(offers, START + 20_000);
            assertThat(warnings.sentences())
                    .singleElement()
                    .asString()
                    .contains("to framework served although framework starved has waited for 20 s")
                    .contains("Set heddle.bridge.queue.shares to equal");
            givenBack(offers, START + 25_000);
            offers.expire(TestClocks.change(START + 624_999));
            assertThat(warnings.sentences()).hasSize(1);
            offers.expire(TestClocks.change(START + 625_000));
            assertThat(warnings.sentences()).as("it has not happened again").isEmpty();
        }
    }

    private void givenBack(OfferManager offers, long now) {
        served.leaseLength().returned(now);
        offers.allocated(TestClocks.change(now), served, List.of());
    }
}
