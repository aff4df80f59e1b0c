// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to one offer: how many executors start on it, and how long the rest of it is refused. Decisions are pure
 * functions of demand and offers.
 *
 * <p>Hosts with data come first, each with at most the executors that its data can use. Other offers wait until the
 * locality wait is over (delay scheduling), and then get executors in turn, so that executors spread over nodes.
 */
final class OfferDecision {
    /** Nothing is wanted: until the next REVIVE, which ends filters. */
    static final double LONG_SECONDS = 3600;
    /** More is wanted, and this offer or its rest did not fit. */
    static final double SHORT_SECONDS = 5;
    /** Executors failed on this host. */
    static final double AVOIDED_SECONDS = 60;
    /** An offer that is refused for the locality wait comes again just after it. */
    private static final double LEAST_SECONDS = 0.1;

    final OfferView offer;
    final int executors;
    final double refuseSeconds;

    private OfferDecision(OfferView offer, int executors, double refuseSeconds) {
        this.offer = offer;
        this.executors = executors;
        this.refuseSeconds = refuseSeconds;
    }

    static List<OfferDecision> decide(Demand demand, List<OfferView> offers) {
        int[] rooms = offers.stream()
                .mapToInt(
                        offer -> demand.avoided.contains(offer.host) ? 0 : demand.size.fitsIn(offer.cpus, offer.memMb))
                .toArray();
        int[] executors = new int[rooms.length];
        int left = preferred(demand, offers, rooms, executors);
        if (demand.localitySeconds <= 0) {
            left = inTurn(left, rooms, executors);
        }
        List<OfferDecision> decisions = new ArrayList<>();
        for (int i = 0; i < rooms.length; i++) {
            OfferView offer = offers.get(i);
            decisions.add(new OfferDecision(
                    offer, executors[i], refuseSeconds(demand, offer, left, rooms[i] > executors[i])));
        }
        return decisions;
    }

    private static int preferred(Demand demand, List<OfferView> offers, int[] rooms, int[] executors) {
        int left = demand.wanted;
        Map<String, Integer> preferred = new HashMap<>(demand.preferred);
        for (int i = 0; i < rooms.length; i++) {
            String host = offers.get(i).host;
            int here = Math.min(Math.min(rooms[i], left), preferred.getOrDefault(host, 0));
            executors[i] += here;
            left -= here;
            preferred.merge(host, -here, Integer::sum);
        }
        return left;
    }

    private static int inTurn(int wanted, int[] rooms, int[] executors) {
        int left = wanted;
        boolean placed = true;
        while (left > 0 && placed) {
            placed = false;
            for (int i = 0; i < rooms.length && left > 0; i++) {
                if (executors[i] < rooms[i]) {
                    executors[i]++;
                    left--;
                    placed = true;
                }
            }
        }
        return left;
    }

    private static double refuseSeconds(Demand demand, OfferView offer, int left, boolean hasRoom) {
        if (left == 0) {
            return LONG_SECONDS;
        }
        if (demand.avoided.contains(offer.host)) {
            return AVOIDED_SECONDS;
        }
        return hasRoom ? Math.max(LEAST_SECONDS, demand.localitySeconds) : SHORT_SECONDS;
    }
}
