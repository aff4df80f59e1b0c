// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.mesos.v1.Protos.Address;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.Attribute;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.MasterInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.URL;
import org.apache.mesos.v1.Protos.Value;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.InverseOffer;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.MesosVersion;
import org.heddle.offers.master.state.OutstandingOffer;
import org.jspecify.annotations.Nullable;

/** Builds the scheduler API's events. */
public final class SchedulerEvents {
    private final MasterIdentity identity;

    public SchedulerEvents(MasterIdentity identity) {
        this.identity = identity;
    }

    public MasterIdentity identity() {
        return identity;
    }

    public Event subscribed(String frameworkId, long heartbeatMillis) {
        return Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setFrameworkId(FrameworkID.newBuilder().setValue(frameworkId))
                        .setHeartbeatIntervalSeconds(heartbeatMillis / 1000.0)
                        .setMasterInfo(masterInfo()))
                .build();
    }

    @SuppressWarnings("deprecation") // A required field.
    public MasterInfo masterInfo() {
        return MasterInfo.newBuilder()
                .setId(identity.id())
                .setIp(packed(identity.ip()))
                .setPort(identity.port())
                .setHostname(identity.hostname())
                .setVersion(MesosVersion.MESOS)
                .setAddress(Address.newBuilder()
                        .setHostname(identity.hostname())
                        .setIp(identity.ip())
                        .setPort(identity.port()))
                .build();
    }

    /** An IPv4 address as MasterInfo has it: the bytes in network order, read as a little-endian number. */
    private static int packed(String ip) {
        String[] parts = ip.split("\\.", -1);
        if (parts.length != 4) {
            return 0;
        }
        int packed = 0;
        for (int i = 3; i >= 0; i--) {
            packed = packed << 8 | Integer.parseInt(parts[i]);
        }
        return packed;
    }

    /**
     * Events that make these offers. As in Mesos, no event has two offers of one agent: Spark's backend keeps one offer
     * for each agent of an event, and launches on it what fits in all of them.
     *
     * @param dateOf the date of a moment of the monotonic clock
     */
    public List<Event> offers(List<OutstandingOffer> offers, ClusterState state, LongUnaryOperator dateOf) {
        List<Event.Offers.Builder> lists = new ArrayList<>();
        Map<String, Integer> ofAgent = new HashMap<>();
        for (OutstandingOffer offer : offers) {
            int before = ofAgent.merge(offer.container().agentId(), 1, Integer::sum) - 1;
            if (before == lists.size()) {
                lists.add(Event.Offers.newBuilder());
            }
            lists.get(before).addOffers(offer(offer, state, dateOf));
        }
        return lists.stream()
                .map(list -> Event.newBuilder()
                        .setType(Event.Type.OFFERS)
                        .setOffers(list)
                        .build())
                .toList();
    }

    public Offer offer(OutstandingOffer offer, ClusterState state, LongUnaryOperator dateOf) {
        AgentContainer container = offer.container();
        Framework framework = container.role().framework();
        boolean multiRole = framework.has(FrameworkInfo.Capability.Type.MULTI_ROLE);
        Offer.Builder built = Offer.newBuilder()
                .setId(OfferID.newBuilder().setValue(offer.id()))
                .setFrameworkId(FrameworkID.newBuilder().setValue(framework.id()))
                .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                .setHostname(container.hostname())
                .setUrl(url(container, state.nodes().get(container.node())))
                .addAllResources(MesosResources.toMesos(
                        offer.resources(), multiRole ? container.role().name() : ""));
        if (multiRole) {
            built.setAllocationInfo(Resource.AllocationInfo.newBuilder()
                    .setRole(container.role().name()));
        }
        ClusterNode node = state.nodes().get(container.node());
        if (node != null) {
            built.addAttributes(text("rack", node.rack()));
            node.attributes().forEach((name, value) -> built.addAttributes(text(name, value)));
            if (node.leavesAt() > 0) {
                built.setUnavailability(unavailableFrom(dateOf.applyAsLong(node.leavesAt())));
            }
        }
        if (offer.maxTaskMillis() > 0) {
            built.addAttributes(Attribute.newBuilder()
                    .setName("max_completion_secs")
                    .setType(Value.Type.SCALAR)
                    .setScalar(Value.Scalar.newBuilder().setValue(offer.maxTaskMillis() / 1000.0)));
        }
        container
                .executors()
                .values()
                .forEach(executor -> built.addExecutorIds(executor.info().getExecutorId()));
        return built.build();
    }

    public static org.apache.mesos.v1.Protos.Unavailability unavailableFrom(long millis) {
        return org.apache.mesos.v1.Protos.Unavailability.newBuilder()
                .setStart(org.apache.mesos.v1.Protos.TimeInfo.newBuilder().setNanoseconds(millis * 1_000_000))
                .build();
    }

    private static Attribute text(String name, String value) {
        return Attribute.newBuilder()
                .setName(name)
                .setType(Value.Type.TEXT)
                .setText(Value.Text.newBuilder().setValue(value))
                .build();
    }

    /** Address of the node, which clients pass on to their tasks. Its port is that of the NodeManager's web pages. */
    private static URL url(AgentContainer container, @Nullable ClusterNode node) {
        String http = node == null ? "" : node.httpAddress();
        String port = http.substring(http.lastIndexOf(':') + 1);
        return URL.newBuilder()
                .setScheme("http")
                .setAddress(Address.newBuilder()
                        .setHostname(container.hostname())
                        .setIp(node == null ? container.hostname() : node.ip())
                        .setPort(port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0))
                .setPath("/slave(1)")
                .build();
    }

    /** @param dateOf the date of a moment of the monotonic clock */
    public static Event inverseOffers(String frameworkId, List<InverseOffer> offers, LongUnaryOperator dateOf) {
        Event.InverseOffers.Builder list = Event.InverseOffers.newBuilder();
        for (InverseOffer offer : offers) {
            org.apache.mesos.v1.Protos.InverseOffer.Builder one = list.addInverseOffersBuilder()
                    .setId(OfferID.newBuilder().setValue(offer.id()))
                    .setFrameworkId(FrameworkID.newBuilder().setValue(frameworkId))
                    .setUnavailability(unavailableFrom(dateOf.applyAsLong(offer.start())))
                    .addAllResources(MesosResources.toMesos(offer.amount(), ""));
            AgentContainer container = offer.container();
            if (container != null) {
                one.setAgentId(AgentID.newBuilder().setValue(container.agentId()));
            }
        }
        return Event.newBuilder()
                .setType(Event.Type.INVERSE_OFFERS)
                .setInverseOffers(list)
                .build();
    }

    public static Event rescindInverse(String id) {
        return Event.newBuilder()
                .setType(Event.Type.RESCIND_INVERSE_OFFER)
                .setRescindInverseOffer(Event.RescindInverseOffer.newBuilder()
                        .setInverseOfferId(OfferID.newBuilder().setValue(id)))
                .build();
    }

    public static Event rescind(String offerId) {
        return Event.newBuilder()
                .setType(Event.Type.RESCIND)
                .setRescind(Event.Rescind.newBuilder()
                        .setOfferId(OfferID.newBuilder().setValue(offerId)))
                .build();
    }

    public static Event update(TaskStatus status) {
        return Event.newBuilder()
                .setType(Event.Type.UPDATE)
                .setUpdate(Event.Update.newBuilder().setStatus(status))
                .build();
    }

    public static Event message(String agentId, String executorId, com.google.protobuf.ByteString data) {
        return Event.newBuilder()
                .setType(Event.Type.MESSAGE)
                .setMessage(Event.Message.newBuilder()
                        .setAgentId(AgentID.newBuilder().setValue(agentId))
                        .setExecutorId(org.apache.mesos.v1.Protos.ExecutorID.newBuilder()
                                .setValue(executorId))
                        .setData(data))
                .build();
    }

    /** FAILURE of an executor, or of an agent if there is no executor. */
    public static Event failure(String agentId, @Nullable String executorId, @Nullable Integer status) {
        Event.Failure.Builder failure =
                Event.Failure.newBuilder().setAgentId(AgentID.newBuilder().setValue(agentId));
        if (executorId != null) {
            failure.setExecutorId(
                    org.apache.mesos.v1.Protos.ExecutorID.newBuilder().setValue(executorId));
        }
        if (status != null) {
            failure.setStatus(status);
        }
        return Event.newBuilder()
                .setType(Event.Type.FAILURE)
                .setFailure(failure)
                .build();
    }

    public static Event error(String message) {
        return Event.newBuilder()
                .setType(Event.Type.ERROR)
                .setError(Event.Error.newBuilder().setMessage(message))
                .build();
    }

    public static Event heartbeat() {
        return Event.newBuilder().setType(Event.Type.HEARTBEAT).build();
    }
}
