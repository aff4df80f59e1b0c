// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.time.Duration;
import java.util.Map;

/**
 * How the bridge uses YARN.
 *
 * @param queues from roles to queues; roles that are not named use the fallback with {@code %r} replaced
 * @param stagingDirectory where the agent's jar is put for nodes to fetch
 * @param bridgeAddresses where agents find bridges
 * @param fingerprint SHA-256 of the only certificate that agents accept; empty for connections that are not encrypted
 * @param proxyUsers submit applications as their frameworks' users, which the cluster must allow this process
 * @param executorTokens executors must show the token that they were started with
 * @param agentHeapMb heap of an agent
 * @param orphanMillis how long agents live without a bridge
 * @param agentLimits auto or off
 * @param busyMillis between heartbeats while something is asked for
 * @param idleMillis between heartbeats otherwise
 * @param preemptionGraceMillis how long the scheduler waits before it kills
 */
public record YarnSettings(
        Map<String, String> queues,
        String queueFallback,
        String stagingDirectory,
        String bridgeAddresses,
        String fingerprint,
        boolean proxyUsers,
        boolean executorTokens,
        int agentHeapMb,
        long orphanMillis,
        String agentLimits,
        long busyMillis,
        long idleMillis,
        long preemptionGraceMillis,
        Duration nodesEvery) {
    private static final int RESTING = 6;

    public YarnSettings {
        queues = Map.copyOf(queues);
    }

    public YarnSettings withBridge(String addresses, String certificate) {
        return new YarnSettings(
                queues,
                queueFallback,
                stagingDirectory,
                addresses,
                certificate,
                proxyUsers,
                executorTokens,
                agentHeapMb,
                orphanMillis,
                agentLimits,
                busyMillis,
                idleMillis,
                preemptionGraceMillis,
                nodesEvery);
    }

    /** Between heartbeats while containers are held: 95 % of the grace should be left when a framework is told. */
    long holdingMillis() {
        return Math.min(idleMillis, Math.max(busyMillis, preemptionGraceMillis / 20));
    }

    /** Between heartbeats while nothing is held or asked for: they only say that the application is still there. */
    long restingMillis() {
        return idleMillis * RESTING;
    }

    String queue(String role) {
        String named = queues.get(role);
        return named != null ? named : queueFallback.replace("%r", role.equals("*") ? "default" : role);
    }
}
