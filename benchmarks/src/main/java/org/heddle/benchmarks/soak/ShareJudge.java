// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Judges whether each queue that waited for containers had its entitlement: its rate divided by the rates of all queues
 * that run or want something, or less if it did not ask for so much. A look at the queues counts for a queue
 *
 * <ul>
 *   <li>if all daemons run, and have run for {@value #SETTLED_SECONDS} s;
 *   <li>if the queue has waited at all looks of the last {@value #WAITED_SECONDS} s: nothing is preempted, so it gets
 *   its part
 *       when tasks of others end, which take up to 12 s.
 * </ul>
 *
 * The mean of those looks may be {@value #TOLERANCE} of the cluster below the mean entitlement, for what masters,
 * executors and MPI programs hold longer than a task, and for containers that do not fit into what is left.
 */
final class ShareJudge {
    static final double TOLERANCE = 0.1;
    private static final int LEAST_LOOKS = 5;
    private static final double SETTLED_SECONDS = 15;
    private static final double WAITED_SECONDS = 12;

    private final List<Probe.Shares> looks;
    private final List<Killer.Outage> outages;
    private final Map<String, Double> rates;

    /**
     * What was seen of a queue.
     *
     * @param looks those that count
     * @param share mean
     * @param entitled mean
     */
    record Verdict(String queue, int looks, double share, double entitled) {
        boolean isJudged() {
            return looks >= LEAST_LOOKS;
        }

        boolean holds() {
            return !isJudged() || share >= entitled - TOLERANCE;
        }

        String sentence() {
            return String.format(
                    Locale.ROOT,
                    "queue %s had %.2f of the cluster while it waited for more, and is entitled to %.2f",
                    queue,
                    share,
                    entitled);
        }
    }

    /** @param rates of the queues, by name */
    ShareJudge(List<Probe.Shares> looks, List<Killer.Outage> outages, Map<String, Double> rates) {
        this.looks = looks;
        this.outages = outages;
        this.rates = rates;
    }

    List<Verdict> verdicts() {
        return rates.keySet().stream().sorted().map(this::verdict).toList();
    }

    /** One sentence each; empty if all shares hold. */
    List<String> problems() {
        List<Verdict> verdicts = verdicts();
        if (verdicts.stream().noneMatch(Verdict::isJudged)) {
            return List.of(
                    "no share could be judged, because no queue waited while all daemons ran: let it run longer");
        }
        return verdicts.stream()
                .filter(verdict -> !verdict.holds())
                .map(Verdict::sentence)
                .toList();
    }

    private Verdict verdict(String queue) {
        double waitsSince = Double.NaN;
        List<Double> shares = new ArrayList<>();
        List<Double> entitled = new ArrayList<>();
        for (Probe.Shares look : looks) {
            Probe.Queue now = look.queues().get(queue);
            if (now == null || now.pending() == 0) {
                waitsSince = Double.NaN;
                continue;
            }
            waitsSince = Double.isNaN(waitsSince) ? look.second() : waitsSince;
            if (look.second() - waitsSince >= WAITED_SECONDS && isCalm(look.second())) {
                shares.add(now.share());
                entitled.add(Math.min(now.demand(), entitlement(queue, look)));
            }
        }
        return new Verdict(queue, shares.size(), mean(shares), mean(entitled));
    }

    private boolean isCalm(double second) {
        return outages.stream().noneMatch(one -> second >= one.from() && second < one.to() + SETTLED_SECONDS);
    }

    private double entitlement(String queue, Probe.Shares look) {
        Set<String> busy = new LinkedHashSet<>(Set.of(queue));
        look.queues().forEach((name, one) -> {
            if (one.running() + one.pending() > 0) {
                busy.add(name);
            }
        });
        double sum =
                busy.stream().mapToDouble(name -> rates.getOrDefault(name, 0.0)).sum();
        return rates.getOrDefault(queue, 0.0) / sum;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
