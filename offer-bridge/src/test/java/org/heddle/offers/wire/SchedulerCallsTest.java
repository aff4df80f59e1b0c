// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.client.protocol.SchedulerCalls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The client's own encoding, read by Mesos' classes: calls that no other test sends. */
@Tag("pure")
class SchedulerCallsTest {
    private static final FrameworkID FRAMEWORK =
            FrameworkID.newBuilder().setValue("f").build();
    private static final byte[] ID = FRAMEWORK.toByteArray();
    private static final OfferID OFFER = OfferID.newBuilder().setValue("o").build();

    private static Call call(Call.Type type, byte[] bytes) throws Exception {
        Call call = Call.parseFrom(bytes);
        assertThat(call.getType()).isEqualTo(type);
        assertThat(call.getFrameworkId()).isEqualTo(FRAMEWORK);
        assertThat(call.getUnknownFields().asMap()).isEmpty();
        return call;
    }

    @Test
    void anExecutorIsShutDown() throws Exception {
        ExecutorID executor = ExecutorID.newBuilder().setValue("e").build();
        AgentID agent = AgentID.newBuilder().setValue("a").build();
        Call call = call(Call.Type.SHUTDOWN, SchedulerCalls.shutdown(ID, executor.toByteArray(), agent.toByteArray()));
        assertThat(call.getShutdown().getExecutorId()).isEqualTo(executor);
        assertThat(call.getShutdown().getAgentId()).isEqualTo(agent);
    }

    @Test
    void inverseOffersAreAnswered() throws Exception {
        List<byte[]> ids = List.of(OFFER.toByteArray(), OFFER.toByteArray());
        Call accept = call(Call.Type.ACCEPT_INVERSE_OFFERS, SchedulerCalls.acceptInverse(ID, ids));
        assertThat(accept.getAcceptInverseOffers().getInverseOfferIdsList()).containsExactly(OFFER, OFFER);
        Call decline = call(Call.Type.DECLINE_INVERSE_OFFERS, SchedulerCalls.declineInverse(ID, ids));
        assertThat(decline.getDeclineInverseOffers().getInverseOfferIdsList()).containsExactly(OFFER, OFFER);
    }

    @Test
    void singleRolesAreSuppressedAndRevived() throws Exception {
        Call suppress = call(Call.Type.SUPPRESS, SchedulerCalls.suppress(ID, List.of("r")));
        assertThat(suppress.getSuppress().getRolesList()).containsExactly("r");
        Call revive = call(Call.Type.REVIVE, SchedulerCalls.revive(ID, List.of("r", "s")));
        assertThat(revive.getRevive().getRolesList()).containsExactly("r", "s");
    }
}
