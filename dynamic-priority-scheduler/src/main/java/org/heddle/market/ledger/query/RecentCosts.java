// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.policy.WideMath;

/**
 * The charges of applications in recent epochs, in bounded memory: a journal would read every bill of that time to tell
 * the costs of one account. Thread-safe.
 */
public final class RecentCosts {
    /** At 24 bytes each. */
    private static final int MOST_CHARGES = 2_000_000;

    private record Application(String id, String name, String user) {}

    /** The charges of one epoch by queue, column by column. */
    private static final class Charges {
        private final long atMillis;
        private final long number;
        private final long millis;
        private final String[] queues;
        private final Application[] applications;
        private final long[] slotMillis;
        private final long[] nanos;

        Charges(EpochRecord epoch, long atMillis, int count) {
            this.atMillis = atMillis;
            this.number = epoch.number();
            this.millis = epoch.closed().millis();
            queues = new String[count];
            applications = new Application[count];
            slotMillis = new long[count];
            nanos = new long[count];
        }

        /** The place of the queue's first charge, or where it would be. */
        private int first(String queue) {
            int first = Arrays.binarySearch(queues, queue);
            while (first > 0 && queues[first - 1].equals(queue)) {
                first--;
            }
            return Math.max(0, first);
        }

        /** The part of an application's charge for some of its slot-time, nano-credits. */
        long part(String queue, String application, long ofSlotMillis) {
            for (int i = first(queue); i < queues.length && queues[i].equals(queue); i++) {
                if (applications[i].id().equals(application) && slotMillis[i] > 0) {
                    return WideMath.share(nanos[i], Math.min(ofSlotMillis, slotMillis[i]), slotMillis[i]);
                }
            }
            return 0;
        }

        void addTo(ApplicationCosts costs, String queue) {
            for (int i = first(queue); i < queues.length && queues[i].equals(queue); i++) {
                Application of = applications[i];
                costs.add(
                        new ClosedEpoch.ApplicationCharge(of.id(), of.name(), of.user(), slotMillis[i], nanos[i]),
                        atMillis,
                        atMillis);
            }
        }
    }

    private final int most;
    private final Deque<Charges> epochs = new ArrayDeque<>();
    /** The applications of the last epoch: most of them run in the next one, too. */
    private Map<Application, Application> running = new HashMap<>();

    private int charges;
    /** All charges that were written at this time or later are here. */
    private long completeFrom = Long.MAX_VALUE;

    public RecentCosts() {
        this(MOST_CHARGES);
    }

    RecentCosts(int most) {
        this.most = most;
    }

    /** Adds an epoch; they come in the order of time, without a gap. */
    public synchronized void add(EpochRecord epoch) {
        if (completeFrom == Long.MAX_VALUE) {
            completeFrom = epoch.number() == 1 ? Long.MIN_VALUE : epoch.startMillis() + 1;
        }
        long at = epoch.startMillis() + epoch.closed().millis();
        int count = 0;
        for (ClosedEpoch.Line bill : epoch.bills()) {
            count += bill.applications().size();
            if (bill.applications().isEmpty() && bill.chargeNanos() > 0) {
                // A database passes bills without their parts.
                forgetUntil(at);
                return;
            }
        }
        append(epoch, new Charges(epoch, at, count));
        while (charges > most) {
            Charges oldest = epochs.removeFirst();
            charges -= oldest.queues.length;
            completeFrom = oldest.atMillis + 1;
        }
    }

    private void forgetUntil(long atMillis) {
        epochs.clear();
        charges = 0;
        completeFrom = atMillis + 1;
    }

    private void append(EpochRecord epoch, Charges added) {
        Map<Application, Application> now = new HashMap<>();
        int i = 0;
        for (ClosedEpoch.Line bill : epoch.closed().billsByQueue()) {
            for (ClosedEpoch.ApplicationCharge charge : bill.applications()) {
                Application fresh = new Application(charge.application(), charge.name(), charge.user());
                Application known = running.getOrDefault(fresh, fresh);
                now.put(known, known);
                added.queues[i] = bill.queue();
                added.applications[i] = known;
                added.slotMillis[i] = charge.slotMillis();
                added.nanos[i] = charge.chargeNanos();
                i++;
            }
        }
        running = now;
        epochs.addLast(added);
        charges += i;
    }

    /**
     * What containers of one application cost that ended in the same epoch, nano-credits. Of the application's charge
     * of each epoch it is the part that their slot-time is of the application's, rounded down, and at most the charge.
     */
    public synchronized long cost(List<LostAttempt.Due> ended) {
        LostAttempt.Due due = ended.get(0);
        long longest = 0;
        for (LostAttempt.Due each : ended) {
            longest = Math.max(
                    longest, each.attempt().beforeMillis() + each.attempt().heldMillis());
        }
        long cost = 0;
        long back = 0;
        Iterator<Charges> newestFirst = epochs.descendingIterator();
        while (newestFirst.hasNext() && back < longest) {
            Charges one = newestFirst.next();
            if (one.number < due.first()) {
                break;
            }
            if (one.number <= due.last()) {
                long used = slotMillis(ended, back, back + one.millis);
                cost += one.part(due.attempt().queue(), due.attempt().application(), used);
                back += one.millis;
            }
        }
        return cost;
    }

    private static long slotMillis(List<LostAttempt.Due> ended, long from, long to) {
        long sum = 0;
        for (LostAttempt.Due each : ended) {
            LostAttempt attempt = each.attempt();
            long until = Math.min(to, attempt.beforeMillis() + attempt.heldMillis());
            long millis = until - Math.max(from, attempt.beforeMillis());
            if (millis > 0) {
                sum += WideMath.mulDiv(attempt.slotNanos(), millis, Slots.NANOS);
            }
        }
        return sum;
    }

    /** The costs of a queue's applications in a time; empty if not all of them are known here. */
    public Optional<ApplicationCosts> of(String queue, long fromMillis, long toMillis) {
        List<Charges> within = new ArrayList<>();
        synchronized (this) {
            if (fromMillis < completeFrom) {
                return Optional.empty();
            }
            for (Charges one : epochs) {
                if (one.atMillis >= fromMillis && one.atMillis < toMillis) {
                    within.add(one);
                }
            }
        }
        ApplicationCosts costs = new ApplicationCosts();
        within.forEach(one -> one.addTo(costs, queue));
        return Optional.of(costs);
    }
}
