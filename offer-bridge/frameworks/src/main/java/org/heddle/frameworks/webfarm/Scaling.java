// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

/**
 * Decides how many web servers there should be: as many as the open sessions need, at once when they become more; fewer
 * by one when fewer have been enough for some time. Knows no clock.
 */
final class Scaling {
    private final int least;
    private final int most;
    private final double sessionsOfServer;
    private final long calmMillis;
    private long calmSince = Long.MAX_VALUE;

    /**
     * What haproxy sees.
     *
     * @param sessions open sessions on all servers
     * @param queued requests that wait for a server
     */
    record Load(int sessions, int queued) {}

    /**
     * @param sessionsOfServer open sessions that one server should have at most
     * @param calmMillis how long fewer servers must be enough before one is ended
     */
    Scaling(int least, int most, double sessionsOfServer, long calmMillis) {
        this.least = least;
        this.most = most;
        this.sessionsOfServer = sessionsOfServer;
        this.calmMillis = calmMillis;
    }

    /** @param servers that are there or on their way */
    int wanted(Load load, int servers, long now) {
        int needed = (int) Math.ceil((load.sessions() + load.queued()) / sessionsOfServer);
        int bounded = Math.max(least, Math.min(most, needed));
        if (bounded >= servers) {
            calmSince = Long.MAX_VALUE;
            return bounded;
        }
        calmSince = Math.min(calmSince, now);
        if (now - calmSince < calmMillis && servers <= most) {
            return servers;
        }
        calmSince = now;
        return servers - 1;
    }
}
