// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.LedgerWriter.Drafter;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.AccountMembers;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;

/** When accounts were opened and closed, in records of the ledger. Pure. */
final class AccountLives {
    /** Limit of the closed accounts that are kept; the oldest ones are forgotten. */
    private static final int MOST_CLOSED = 10_000;

    private static final int LONGEST_NAME = 170;
    /** So many fit into one record. */
    private static final int MOST_MEMBERS = 25;

    private static final String MEMBER = AccountMembers.EACH_USER + "|[A-Za-z0-9_][A-Za-z0-9_.@-]{0,127}";

    private AccountLives() {}

    /** The changes of a transaction, and the records of the accounts that it opens or closes. */
    static List<LedgerChange> noted(LedgerState ahead, long sequence, long millis, List<LedgerChange> changes) {
        List<LedgerChange> all = new ArrayList<>(changes);
        for (LedgerChange change : changes) {
            if (change instanceof LedgerChange.QueueOpened opened
                    && opened.queue().length() <= LONGEST_NAME) {
                put(new AccountLife(opened.queue(), sequence, millis, 0, 0, Map.of()).record(), all);
            }
            if (change instanceof LedgerChange.QueueClosed closed
                    && closed.queue().length() <= LONGEST_NAME) {
                AccountLife life = open(ahead, closed.queue());
                put(new MarketRecord(AccountLife.OPEN, closed.queue(), ""), all);
                put(life.closedAt(sequence, millis).record(), all);
                List<AccountLife> before = closed(ahead);
                if (before.size() >= MOST_CLOSED) {
                    String oldest = before.get(0).reference();
                    put(new MarketRecord(AccountLife.CLOSED, oldest, ""), all);
                }
            }
        }
        return all;
    }

    private static void put(MarketRecord record, List<LedgerChange> to) {
        to.add(new LedgerChange.RecordPut(record));
    }

    /**
     * Gives a user a role on an account, or takes it away.
     *
     * @param role null for none
     */
    static Drafter member(String account, String user, @Nullable AccountRole role) {
        return ledger -> {
            Funds funds = Objects.requireNonNullElse(ledger.find(account), Funds.NONE); // none for a parent queue
            AccountLife life = open(ledger, account);
            Map<String, AccountRole> members = new TreeMap<>(life.members());
            if (role == null) {
                members.remove(user);
            } else {
                members.put(user, role);
            }
            if (members.size() > MOST_MEMBERS) {
                throw new MarketException(
                        Reason.INVALID,
                        "Account " + account + " has " + MOST_MEMBERS + " members already; remove one first");
            }
            return new Draft(
                    Transaction.Kind.RECORD,
                    "",
                    List.of(),
                    List.of(new LedgerChange.RecordPut(life.with(members).record())),
                    funds.balanceNanos());
        };
    }

    static AccountLife open(LedgerState ledger, String name) {
        MarketRecord record = ledger.records(AccountLife.OPEN).get(name);
        return record == null ? AccountLife.of(name) : AccountLife.parse(record);
    }

    static void checkMember(String user) throws MarketException {
        if (!user.matches(MEMBER)) {
            throw new MarketException(
                    Reason.INVALID,
                    "'" + LedgerOperations.shortened(user) + "' cannot be a member; use the name of a user, or "
                            + AccountMembers.EACH_USER + " for each user who owns the account of that name below");
        }
    }

    /** Whether a record changes who has a role on an account. */
    static boolean concerns(MarketRecord record, AccountMembers present) {
        return (record.kind().equals(AccountLife.OPEN) || record.kind().equals(AccountLife.CLOSED))
                && (record.content().indexOf('=') >= 0 || present.isKnown(record.id()));
    }

    static AccountMembers members(LedgerState ledger) {
        List<AccountLife> lives = new ArrayList<>(closed(ledger));
        ledger.records(AccountLife.OPEN).values().forEach(record -> lives.add(AccountLife.parse(record)));
        return new AccountMembers(lives);
    }

    /** Whether a user owned a closed account by its name, which was not opened again. */
    static boolean ownedByName(LedgerState ledger, AccountMembers members, String user, String reference) {
        AccountLife life = find(ledger, reference);
        return life != null
                && life.isClosed()
                && !life.hasOwner()
                && ledger.find(life.name()) == null
                && members.ownsByName(user, life.name());
    }

    /** All closed accounts, in the order of their ends. */
    static List<AccountLife> closed(LedgerState ledger) {
        return ledger.records(AccountLife.CLOSED).values().stream()
                .map(AccountLife::parse)
                .sorted(Comparator.comparing(AccountLife::closedSequence))
                .toList();
    }

    /**
     * The same life, with its dates only where they separate it from another life of its name: dates can be wrong, and
     * must not hide what belongs to it.
     */
    static AccountLife cut(LedgerState ledger, AccountLife life) {
        boolean isFirst = true;
        boolean isLast = ledger.find(life.name()) == null || !life.isClosed();
        for (AccountLife other : closed(ledger, life.name())) {
            isFirst &= other.closedSequence() > life.openedSequence();
            isLast &= !life.isClosed() || other.openedSequence() < life.closedSequence();
        }
        return new AccountLife(
                life.name(),
                life.openedSequence(),
                isFirst ? 0 : life.openedMillis(),
                life.closedSequence(),
                isLast ? Long.MAX_VALUE - 1 : life.closedMillis(),
                life.members());
    }

    private static List<AccountLife> closed(LedgerState ledger, String name) {
        String first = name + AccountLife.MARK;
        return ledger.records(AccountLife.CLOSED).subMap(first, first + Character.MAX_VALUE).values().stream()
                .map(AccountLife::parse)
                .filter(life -> life.name().equals(name))
                .toList();
    }

    /**
     * The account with a name; if none is open, the one that was closed last.
     *
     * @param reference its name, or the name and the number of a closed one
     * @return null if there is none
     */
    static @Nullable AccountLife find(LedgerState ledger, String reference) {
        if (ledger.find(reference) != null) {
            return open(ledger, reference);
        }
        MarketRecord exact = ledger.records(AccountLife.CLOSED).get(reference);
        if (exact != null) {
            return AccountLife.parse(exact);
        }
        return closed(ledger, reference).stream()
                .max(Comparator.comparing(AccountLife::closedSequence))
                .orElse(null);
    }
}
