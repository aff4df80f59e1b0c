// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.jspecify.annotations.Nullable;

/**
 * A framework with its connection, roles and tasks. Only {@link ClusterState} changes its roles, tasks and inverse
 * offers.
 */
public final class Framework {
    private static final int KEEP_COMPLETED = 200;

    private final String id;
    private FrameworkInfo info;
    private String streamId = "";
    private @Nullable EventSink<Event> sink;
    private long disconnectedAt;
    private long subscribedAt;
    private long accepted;
    private long declined;
    private long expired;
    private final Map<String, FrameworkRole> roles = new TreeMap<>();
    private final Map<String, FrameworkTask> tasks = new LinkedHashMap<>();
    private final Deque<FrameworkTask> completed = new ArrayDeque<>();
    private final Map<String, InverseOffer> inverseOffers = new LinkedHashMap<>();

    public Framework(String id, FrameworkInfo info) {
        this.id = id;
        this.info = info;
    }

    public String id() {
        return id;
    }

    public FrameworkInfo info() {
        return info;
    }

    public void setInfo(FrameworkInfo info) {
        this.info = info;
    }

    /** The principal that registered the framework; without authentication, the framework belongs to everyone. */
    public boolean belongsTo(String principal) {
        return principal.isEmpty() || info.getPrincipal().equals(principal);
    }

    /** Whether it knows of GPUs: others are not offered any. */
    public boolean isGpuCapable() {
        return has(FrameworkInfo.Capability.Type.GPU_RESOURCES);
    }

    public boolean has(FrameworkInfo.Capability.Type capability) {
        return info.getCapabilitiesList().stream().anyMatch(one -> one.getType() == capability);
    }

    // ---- its connection ----

    public boolean isConnected() {
        return sink != null;
    }

    public String streamId() {
        return streamId;
    }

    public void connect(String newStreamId, EventSink<Event> newSink, long now) {
        streamId = newStreamId;
        sink = newSink;
        disconnectedAt = 0;
        subscribedAt = now;
    }

    /** Removes and returns its event stream, because the stream has ended or is replaced. */
    public @Nullable EventSink<Event> disconnect() {
        EventSink<Event> before = sink;
        sink = null;
        return before;
    }

    /** Time at which its stream ended, in ms; 0 while it has a stream. */
    public long disconnectedAt() {
        return disconnectedAt;
    }

    public void setDisconnectedAt(long millis) {
        this.disconnectedAt = millis;
    }

    public long subscribedAt() {
        return subscribedAt;
    }

    public void send(StateChange change, Event event) {
        EventSink<Event> to = sink;
        if (to != null) {
            change.after(() -> to.send(event));
        }
    }

    /** Sends a sign of life at once: frameworks leave a bridge that is silent while its journal waits. */
    public void beat(Event heartbeat) {
        EventSink<Event> to = sink;
        if (to != null) {
            to.beat(heartbeat);
        }
    }

    // ---- its offers ----

    public long accepted() {
        return accepted;
    }

    public void countAccepted(int offers) {
        accepted += offers;
    }

    public long declined() {
        return declined;
    }

    public void countDeclined() {
        declined++;
    }

    public long expired() {
        return expired;
    }

    public void countExpired() {
        expired++;
    }

    /** The containers of all its roles. */
    public Stream<AgentContainer> containers() {
        return roles.values().stream().flatMap(role -> role.containers().values().stream());
    }

    public List<OutstandingOffer> offers() {
        return containers()
                .flatMap(container -> Stream.ofNullable(container.offer()))
                .toList();
    }

    public Collection<InverseOffer> inverseOffers() {
        return Collections.unmodifiableCollection(inverseOffers.values());
    }

    public @Nullable InverseOffer inverseOffer(String inverseId) {
        return inverseOffers.get(inverseId);
    }

    void put(InverseOffer inverse) {
        inverseOffers.put(inverse.id(), inverse);
    }

    void remove(InverseOffer inverse) {
        inverseOffers.remove(inverse.id());
    }

    // ---- its roles and tasks ----

    public Map<String, FrameworkRole> roles() {
        return Collections.unmodifiableMap(roles);
    }

    void put(FrameworkRole role) {
        roles.put(role.name(), role);
    }

    void remove(FrameworkRole role) {
        roles.remove(role.name(), role);
    }

    /** Tasks whose last update is not acknowledged. */
    public Map<String, FrameworkTask> tasks() {
        return Collections.unmodifiableMap(tasks);
    }

    void put(FrameworkTask task) {
        tasks.put(task.id(), task);
    }

    void complete(FrameworkTask task) {
        tasks.remove(task.id(), task);
        completed.addFirst(task);
        if (completed.size() > KEEP_COMPLETED) {
            completed.removeLast();
        }
    }

    /** Tasks whose last update is acknowledged, newest first; older ones are forgotten. */
    public Collection<FrameworkTask> completed() {
        return Collections.unmodifiableCollection(completed);
    }
}
