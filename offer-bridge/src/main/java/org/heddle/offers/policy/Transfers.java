// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How many containers each application of the bridge returns, so that others of its queue get their equal shares:
 * containers go one after the other from the application with the most to the one that waits and would have the least,
 * as long as the second one does not have more than the first one after it. Users are compared first, as in {@link
 * QueueShares}.
 *
 * <p>Where whole containers do not divide equally, the rest goes round: of two applications with five and four
 * containers, each has the fifth one for some time. Such a turn is worth it only where the difference is a large part
 * of a container.
 */
public final class Transfers {
    /**
     * Time between two turns of a queue, in ms. Chosen by us: several turns in 30 s, each longer than the start of an
     * agent.
     */
    public static final long TURN_MILLIS = 5_000;

    /**
     * A turn needs a difference of this part of the two containers, the one that is returned and the one that is
     * allocated. With half, both sides of a turn are equally far from the mean.
     */
    private static final double TURN_PART = 0.4;

    /**
     * Bounds the time of one decision in large clusters to some ms; the next one, which comes 50 ms later as long as
     * containers come or go, goes on.
     */
    private static final int MOST_MOVES = 1_000;

    private static final double ROUNDING = 1e-9;

    /**
     * An application of the bridge.
     *
     * @param member its shares; {@code used} includes containers that are on their way back
     * @param asked containers that it asks for now
     * @param container dominant share of one of its containers
     * @param containers number of its containers
     * @param returnable number of its containers that can be returned when their tasks end, with those on their way
     *     back
     */
    public record Party(QueueShares.Member member, int asked, double container, int containers, int returnable) {}

    /**
     * The decision for one application.
     *
     * @param returns containers that should be on their way back, with those that already are
     * @param turn whether one more container goes when it is this queue's time for a turn
     */
    public record Quota(int returns, boolean turn) {
        public static final Quota NONE = new Quota(0, false);

        /** What is left of it when one of these containers has gone. */
        public Quota afterReturn() {
            return returns > 0 ? new Quota(returns - 1, turn) : NONE;
        }
    }

    private static final class User {
        private double used;
        private final TreeSet<Account> waiting =
                new TreeSet<>(Comparator.comparingDouble(Account::next).thenComparingInt(account -> account.index));
        private final TreeSet<Account> giving =
                new TreeSet<>(Comparator.comparingDouble((Account account) -> -account.used)
                        .thenComparingInt(account -> account.index));
    }

    private static final class Account {
        private final Party party;
        private final int index;
        private final User user;
        private double used;
        private int left;
        private int got;
        private int moved;
        /** Of the moved ones those that another application has asked for; the rest it is only expected to ask for. */
        private int certain;

        private boolean turn;
        /** It gives or gets a container in this turn, so it has no other part in it. */
        private boolean served;

        private Account(Party party, int index, User user) {
            this.party = party;
            this.index = index;
            this.user = user;
            this.used = party.member().used();
            this.left = party.container() > 0 ? party.returnable() : 0;
        }

        private double next() {
            return used + party.member().next();
        }

        private Quota quota() {
            int most = Math.max(Math.max(1, party.containers() / 2), certain);
            return moved == 0 && !turn ? Quota.NONE : new Quota(Math.min(moved, most), turn);
        }

        /** Adds these to what it has, with its place in the order of its user. */
        private void change(double share) {
            leave();
            used += share;
            user.used += share;
            enter();
        }

        private void leave() {
            user.waiting.remove(this);
            user.giving.remove(this);
        }

        private void enter() {
            if (party.member().waits() && !served) {
                user.waiting.add(this);
            }
            if (left > 0 && !served) {
                user.giving.add(this);
            }
        }
    }

    private Transfers() {}

    /**
     * @param parties all applications of the bridge
     * @param inFlight for each queue the number of containers that were returned in it and are not allocated again
     * @return the decision for each of the applications, in their order
     */
    public static List<Quota> plan(List<Party> parties, Map<String, Integer> inFlight) {
        Map<String, Map<String, User>> queues = new LinkedHashMap<>();
        List<Account> accounts = new ArrayList<>();
        for (Party party : parties) {
            User user = queues.computeIfAbsent(party.member().queue(), queue -> new HashMap<>())
                    .computeIfAbsent(party.member().user(), name -> new User());
            Account account = new Account(party, accounts.size(), user);
            accounts.add(account);
            user.used += account.used;
            account.enter();
        }
        queues.forEach((queue, users) -> {
            if (!queue.isEmpty()) {
                divide(users, inFlight.getOrDefault(queue, 0));
            }
        });
        return accounts.stream().map(Account::quota).toList();
    }

    private static void divide(Map<String, User> users, int inFlight) {
        Collection<User> all = users.values();
        for (int i = 0; i < inFlight; i++) {
            Account waiting = poorest(all);
            if (waiting != null) {
                waiting.got++;
                waiting.change(waiting.party.member().next());
            }
        }
        move(all, 1);
        all.forEach(user -> move(List.of(user), 1));
        move(all, TURN_PART);
        all.forEach(user -> move(List.of(user), TURN_PART));
    }

    private static void move(Collection<User> users, double part) {
        int moves = 0;
        while (moves < MOST_MOVES && moveOne(users, part)) {
            moves++;
        }
    }

    /** One container goes from the richest to the poorest, if their difference is that part of both containers. */
    private static boolean moveOne(Collection<User> users, double part) {
        Account waiting = poorest(users);
        Account giving = richest(users);
        if (waiting == null || giving == null) {
            return false;
        }
        double next = waiting.party.member().next();
        double one = giving.party.container();
        int needed = (int) Math.max(1, Math.min(giving.left, Math.ceil(next / one - ROUNDING)));
        double gap = waiting.user == giving.user ? giving.used - waiting.used : giving.user.used - waiting.user.used;
        if (gap + ROUNDING < part * (next + needed * one) || (part < 1 && needed > 1)) {
            return false;
        }
        giving.leave();
        giving.left -= needed;
        if (part < 1) {
            giving.turn = true;
            giving.served = true;
            waiting.served = true;
        } else {
            giving.moved += needed;
            giving.certain += waiting.got < waiting.party.asked() ? needed : 0;
        }
        giving.change(-needed * one);
        waiting.got++;
        waiting.change(next);
        return true;
    }

    /**
     * Of the user with the least, of those with an application that waits, the application that would have the least.
     */
    private static @Nullable Account poorest(Collection<User> users) {
        return users.stream()
                .filter(user -> !user.waiting.isEmpty())
                .min(Comparator.comparingDouble(user -> user.used))
                .map(user -> user.waiting.first())
                .orElse(null);
    }

    private static @Nullable Account richest(Collection<User> users) {
        return users.stream()
                .filter(user -> !user.giving.isEmpty())
                .max(Comparator.comparingDouble(user -> user.used))
                .map(user -> user.giving.first())
                .orElse(null);
    }
}
