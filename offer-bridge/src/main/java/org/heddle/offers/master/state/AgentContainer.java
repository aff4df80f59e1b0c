// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.LeasePolicy.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A YARN container of a framework, and the agent in it. Only {@link ClusterState} changes its tasks, executors, link
 * and offer.
 */
public final class AgentContainer {
    private final String id;
    private final FrameworkRole role;
    private final String node;
    private final String hostname;
    private final String agentId;
    private Resources total;
    private ContainerPhase phase = ContainerPhase.ALLOCATED;
    private String secret = "";
    private Lease lease;
    private @Nullable AgentLink link;
    private @Nullable OutstandingOffer offer;
    private long unwantedSince;
    private long launchedAt;
    private long idleSince;
    private @Nullable Resources shrinksFrom;
    private long growingSince;
    private long answeredPing;
    private long goneAt;
    private long endedSandboxes;
    private long deletedSandboxes;
    private Resources growth = Resources.NONE;
    private boolean seen;
    private boolean leaving;
    private String missingLimits = "";
    private final Map<String, FrameworkTask> tasks = new LinkedHashMap<>();
    private final Map<String, FrameworkExecutor> executors = new LinkedHashMap<>();

    /**
     * @param node name of the node in the cluster
     *
     * @param hostname host name of the node
     * @param now time at which the lease begins, in ms
     */
    public AgentContainer(String id, FrameworkRole role, String node, String hostname, Resources total, long now) {
        this(id, role, node, hostname, ClusterState.agentId(node), total, now);
    }

    AgentContainer(
            String id, FrameworkRole role, String node, String hostname, String agentId, Resources total, long now) {
        this.id = id;
        this.role = role;
        this.node = node;
        this.hostname = hostname;
        this.agentId = agentId;
        this.total = total;
        this.lease = Lease.from(now);
    }

    public String id() {
        return id;
    }

    public FrameworkRole role() {
        return role;
    }

    public Framework framework() {
        return role.framework();
    }

    public String node() {
        return node;
    }

    public String hostname() {
        return hostname;
    }

    /** The Mesos agent ID of the node: all containers of a node have the same one. */
    public String agentId() {
        return agentId;
    }

    /** Its resources without the part that its agent needs. */
    public Resources total() {
        return total;
    }

    public void setTotal(Resources total) {
        role.change(this, () -> this.total = total);
    }

    /**
     * Takes the size that the cluster reports, without the agent's part. Disk and ports stay: the cluster does not
     * schedule them.
     */
    public void resized(Resources reported) {
        setTotal(new Resources(reported.milliCpus(), reported.memMb(), total.diskMb(), total.ports(), reported.gpus()));
    }

    public ContainerPhase phase() {
        return phase;
    }

    public void setPhase(ContainerPhase phase) {
        role.change(this, () -> this.phase = phase);
    }

    /** The secret with which its agent authenticates. */
    public String secret() {
        return secret;
    }

    public void setSecret(String secret) {
        this.secret = secret;
    }

    /** When a task was last launched in it, in ms; 0 if never. */
    public long launchedAt() {
        return launchedAt;
    }

    public void setLaunchedAt(long millis) {
        launchedAt = millis;
    }

    public Lease lease() {
        return lease;
    }

    public void setLease(Lease lease) {
        role.change(this, () -> this.lease = lease);
    }

    /**
     * If it drains, its role has one container less to return: other containers may go before that is decided again.
     */
    public void countReturn(long now) {
        if (lease.drainUntil() > now) {
            role.setQuota(role.quota().afterReturn());
        }
    }

    /** The connection to its agent; null while there is none. */
    public @Nullable AgentLink link() {
        return link;
    }

    void setLink(@Nullable AgentLink link) {
        this.link = link;
    }

    /** Number of the last PING of this connection that its agent has answered. */
    public long answeredPing() {
        return answeredPing;
    }

    public void setAnsweredPing(long number) {
        answeredPing = number;
    }

    /** Sandboxes of ended tasks and executors that its agent keeps. */
    public long endedSandboxes() {
        return endedSandboxes;
    }

    /** Those that its agent has deleted. */
    public long deletedSandboxes() {
        return deletedSandboxes;
    }

    public void setSandboxes(long ended, long deleted) {
        endedSandboxes = ended;
        deletedSandboxes = deleted;
    }

    /** When its agent's connection ended last, in ms. */
    public long goneAt() {
        return goneAt;
    }

    public void setGoneAt(long millis) {
        goneAt = millis;
    }

    /** The outstanding offer of its free resources; null if there is none. */
    public @Nullable OutstandingOffer offer() {
        return offer;
    }

    void setOffer(@Nullable OutstandingOffer offer) {
        this.offer = offer;
    }

    /** Time since which the framework refuses its free resources, in ms; 0 if the framework accepted the last offer. */
    public long unwantedSince() {
        return unwantedSince;
    }

    public void setUnwantedSince(long millis) {
        this.unwantedSince = millis;
    }

    /** Time since which its executors have no task in it, in ms; 0 if they have one. */
    public long idleSince() {
        return idleSince;
    }

    public void setIdleSince(long millis) {
        this.idleSince = millis;
    }

    /** Its size before a request to the cluster to make it smaller; null if no such request is pending. */
    public @Nullable Resources shrinksFrom() {
        return shrinksFrom;
    }

    public void setShrinksFrom(@Nullable Resources before) {
        this.shrinksFrom = before;
    }

    /** Whether a request to the cluster to make it larger is pending. */
    public boolean isGrowing() {
        return !growth.isEmpty();
    }

    /** Time of that request, in ms. */
    public long growingSince() {
        return growingSince;
    }

    /** What that request adds to its size. */
    public Resources growth() {
        return growth;
    }

    public void setGrowing(long since, Resources added) {
        this.growingSince = since;
        this.growth = added;
    }

    /**
     * Whether its agent has registered, with this bridge or an earlier one, so that the agent must not be started
     * again.
     */
    public boolean isSeen() {
        return seen;
    }

    public void setSeen(boolean seen) {
        this.seen = seen;
    }

    /** Whether the cluster has announced that it will take the container. */
    public boolean isLeaving() {
        return leaving;
    }

    public void setLeaving(boolean leaving) {
        role.change(this, () -> this.leaving = leaving);
    }

    /** What limits its tasks instead of cgroups for CPU and memory, and why; empty if its agent limits both. */
    public String missingLimits() {
        return missingLimits;
    }

    /** Sets what the agent reports when it registers. */
    public void setMissingLimits(String reason) {
        this.missingLimits = reason;
    }

    public Map<String, FrameworkTask> tasks() {
        return Collections.unmodifiableMap(tasks);
    }

    void put(FrameworkTask task) {
        tasks.put(task.id(), task);
    }

    void remove(FrameworkTask task) {
        tasks.remove(task.id(), task);
    }

    public Map<String, FrameworkExecutor> executors() {
        return Collections.unmodifiableMap(executors);
    }

    void put(FrameworkExecutor executor) {
        role.change(this, () -> executors.put(executor.id(), executor));
    }

    void remove(FrameworkExecutor executor) {
        role.change(this, () -> executors.remove(executor.id(), executor));
        if (executors.isEmpty()) {
            idleSince = 0;
        }
    }

    /** Resources that its executors and its running tasks use. */
    public Resources used() {
        Resources sum = Resources.NONE;
        for (FrameworkTask task : tasks.values()) {
            if (!task.ended()) {
                sum = sum.plus(task.resources());
            }
        }
        for (FrameworkExecutor executor : executors.values()) {
            sum = sum.plus(executor.resources());
        }
        return sum;
    }

    public Resources free() {
        return total.minus(used());
    }

    /** The tasks of the task's group that have not ended, with the task itself. */
    public List<FrameworkTask> groupOf(FrameworkTask task) {
        return tasks.values().stream()
                .filter(one -> one.group().equals(task.group()) && !one.ended())
                .toList();
    }

    /** Whether no task and no executor runs in it. */
    public boolean isIdle() {
        return executors.isEmpty() && hasNoTasks();
    }

    /** Whether all its tasks have ended; executors may still run in it. */
    public boolean hasNoTasks() {
        return tasks.values().stream().allMatch(FrameworkTask::ended);
    }

    /** Whether it can return to the cluster at once. */
    public boolean isUnused() {
        return phase == ContainerPhase.ALLOCATED || isIdle();
    }

    /**
     * Sends a frame if the agent is connected. Frames that must not be lost are sent again when the agent registers.
     */
    public void send(StateChange change, byte[] frame) {
        AgentLink to = link;
        if (to != null) {
            change.after(() -> to.send(frame));
        }
    }
}
