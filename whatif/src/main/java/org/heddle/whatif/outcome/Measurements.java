// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.heddle.whatif.model.Size;

/** Collects what happens in a replay, for all jobs, for each queue and for each user. Times must not decrease. */
public final class Measurements {
    private final long beginMillis;
    private final long intervalMillis;
    private final Size cluster;
    private final Account all;
    private final SortedMap<String, Account> queues = new TreeMap<>();
    private final SortedMap<String, Account> users = new TreeMap<>();
    private final SortedMap<String, Long> jobMillis = new TreeMap<>();
    private final SortedMap<String, Integer> refused = new TreeMap<>();
    private final Map<String, String> reasons = new HashMap<>();
    private long endMillis;
    private double jainMillis;
    private long contendedMillis;

    /**
     * @param beginMillis when the replay begins, in milliseconds since 1970
     * @param intervalMillis length of the intervals of the shares over time
     * @param cluster the sum of all nodes
     */
    public Measurements(long beginMillis, long intervalMillis, Size cluster) {
        this.beginMillis = beginMillis;
        this.intervalMillis = intervalMillis;
        this.cluster = cluster;
        this.endMillis = beginMillis;
        this.all = new Account(beginMillis, intervalMillis);
    }

    private void each(String queue, String user, Consumer<Account> action) {
        action.accept(all);
        action.accept(queues.computeIfAbsent(queue, name -> new Account(beginMillis, intervalMillis)));
        action.accept(users.computeIfAbsent(user, name -> new Account(beginMillis, intervalMillis)));
    }

    /** A container was allocated. */
    public void started(String queue, String user, Size size, long nowMillis) {
        each(queue, user, account -> account.usage.change(1, size, nowMillis));
    }

    /** For some time nothing changed, and jobs of these users waited for containers. */
    public void waited(Set<String> waiting, long millis) {
        if (waiting.size() < 2) {
            return;
        }
        double sum = 0;
        double squares = 0;
        for (String user : waiting) {
            Account account = users.get(user);
            double share = account == null ? 0 : account.usage.dominantShare(cluster);
            sum += share;
            squares += share * share;
        }
        if (squares > 0) { // nobody has anything at the very beginning only
            jainMillis += millis * sum * sum / (waiting.size() * squares);
            contendedMillis += millis;
        }
    }

    /** A container was given back. */
    public void ended(String queue, String user, Size size, long nowMillis) {
        each(queue, user, account -> account.usage.change(-1, size, nowMillis));
    }

    /** A master got its container. */
    public void masterWaited(String queue, String user, long millis) {
        each(queue, user, account -> account.masterWaits.add(millis));
    }

    /** A task got its container. */
    public void taskWaited(String queue, String user, long millis) {
        each(queue, user, account -> account.taskWaits.add(millis));
    }

    /** A task ran to its end. */
    public void taskEnded(String queue, String user) {
        each(queue, user, account -> account.tasks++);
    }

    /** The scheduler ended a container that had run for some time. */
    public void preempted(String queue, String user, long ranMillis) {
        each(queue, user, account -> {
            account.preempted++;
            account.lostMillis += ranMillis;
        });
    }

    /** A job ran to its end. */
    public void jobEnded(String id, String queue, String user, long millis, long nowMillis) {
        endMillis = nowMillis;
        jobMillis.put(id, millis);
        each(queue, user, account -> account.jobTimes.add(millis));
    }

    /** A job was refused; of each queue the first reason is kept. */
    public void refused(String queue, String reason) {
        reasons.putIfAbsent(queue, reason);
        refused.merge(queue, 1, Integer::sum);
    }

    /**
     * The figures, when the replay is over.
     *
     * @param unfinished ids of jobs that did not end
     * @param nowMillis the end of the replay, which counts if a job did not end
     */
    public Outcome outcome(String scheduler, List<String> unfinished, List<String> remarks, long nowMillis) {
        long end = Math.max(beginMillis + 1, unfinished.isEmpty() ? endMillis : nowMillis);
        SortedMap<String, double[]> shares = new TreeMap<>();
        SortedMap<String, Integer> refusals = new TreeMap<>();
        refused.forEach((queue, jobs) -> refusals.put(queue + ": " + reasons.get(queue), jobs));
        queues.forEach((queue, account) -> shares.put(queue, account.usage.dominantShares(cluster, end)));
        return new Outcome(
                scheduler,
                end - beginMillis,
                all.usage.memoryShare(cluster, end),
                all.usage.vcoresShare(cluster, end),
                all.figures(cluster, end),
                figures(queues, end),
                figures(users, end),
                contendedMillis == 0 ? Double.NaN : jainMillis / contendedMillis,
                all.usage.intervalMillis(end),
                all.usage.dominantShares(cluster, end),
                shares,
                new TreeMap<>(jobMillis),
                refusals,
                List.copyOf(unfinished),
                List.copyOf(remarks));
    }

    private SortedMap<String, Figures> figures(Map<String, Account> accounts, long end) {
        SortedMap<String, Figures> figures = new TreeMap<>();
        accounts.forEach((name, account) -> figures.put(name, account.figures(cluster, end)));
        return figures;
    }
}
