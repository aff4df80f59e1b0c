// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.util.List;
import java.util.Map;

/**
 * Settings for the use of YARN.
 *
 * @param queues the queue of each role
 * @param queueFallback the queue of all other roles, where {@code %r} is the role; that of {@code *} if YARN has no
 *     such queue
 * @param stagingDirectory from which nodes fetch the agent's jar
 * @param bridgeAddresses at which agents find bridges
 * @param fingerprint SHA-256 of the only certificate that agents accept; empty without encryption
 * @param proxyUsers whether applications are submitted as the users of their frameworks, which YARN must allow
 * @param executorTokens whether executors must show their token
 * @param agentLimits auto or off
 * @param preemptionGraceMillis between the message of a preemption and the kill
 * @param tokenFileSystems file systems for which containers get delegation tokens, if the cluster uses Kerberos; beside
 *     the default file system and that of the staging directory
 */
public record YarnSettings(
        Map<String, String> queues,
        String queueFallback,
        String stagingDirectory,
        String bridgeAddresses,
        String fingerprint,
        boolean proxyUsers,
        boolean executorTokens,
        String agentLimits,
        long preemptionGraceMillis,
        List<String> tokenFileSystems,
        Times times) {
    private static final String ANY_ROLE = "*";
    private static final int RESTING_FACTOR = 6;
    /** Between heartbeats while the bridge asks for containers, in ms. */
    static final long BUSY_MILLIS = 100;

    /**
     * Intervals and waits that only tests make shorter.
     *
     * @param orphanMillis after which agents end without a bridge
     * @param idleMillis between heartbeats while the bridge asks for nothing
     * @param nodesMillis between two looks at the nodes
     */
    public record Times(long orphanMillis, long idleMillis, long nodesMillis) {
        public static final Times USUAL = new Times(600_000, 5_000, 2_000);
    }

    public YarnSettings {
        queues = Map.copyOf(queues);
        tokenFileSystems = List.copyOf(tokenFileSystems);
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
                agentLimits,
                preemptionGraceMillis,
                tokenFileSystems,
                times);
    }

    /**
     * Between heartbeats while there are containers: 95 % of the grace period should be left when a framework hears of
     * a preemption.
     */
    long holdingMillis() {
        return Math.min(times.idleMillis(), Math.max(BUSY_MILLIS, preemptionGraceMillis / 20));
    }

    /** Between heartbeats while there are no containers and no asks: they only show that the application lives. */
    long restingMillis() {
        return times.idleMillis() * RESTING_FACTOR;
    }

    /** The queues for a role, first choice first: a queue that was not configured for this role need not exist. */
    List<String> queues(String role) {
        String named = queues.get(role);
        if (named != null) {
            return List.of(named);
        }
        String own = queueFallback.replace("%r", role.equals(ANY_ROLE) ? "default" : role);
        String last = queues.get(ANY_ROLE);
        return last == null || last.equals(own) ? List.of(own) : List.of(own, last);
    }

    /** A queue's path from root on; schedulers report it with or without root. */
    static String fullPath(String queue) {
        return queue.equals("root") || queue.startsWith("root.") ? queue : "root." + queue;
    }
}
