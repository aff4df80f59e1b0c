// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The time from the opening of an account to its closing. A name that is opened again begins a new life: its owner
 * does not see the lines of the one before.
 *
 * @param openedSequence number of the transaction that opened it; 0 if that is not known
 * @param openedMillis wall clock
 * @param closedSequence number of the transaction that closed it; 0 while it is open
 * @param closedMillis wall clock; 0 while it is open
 * @param members roles by user
 */
public record AccountLife(
        String name,
        long openedSequence,
        long openedMillis,
        long closedSequence,
        long closedMillis,
        Map<String, AccountRole> members) {
    /** Kind of the records of open accounts. */
    public static final String OPEN = "account";
    /** Kind of the records of closed accounts. */
    public static final String CLOSED = "closed-account";

    /** Between the name of a closed account and its number. */
    public static final char MARK = '~';

    private static final String VERSION = "1";

    public AccountLife {
        members = Map.copyOf(members);
    }

    /** An open account of which the ledger notes nothing. */
    public static AccountLife of(String name) {
        return new AccountLife(name, 0, 0, 0, 0, Map.of());
    }

    public boolean isClosed() {
        return closedSequence > 0;
    }

    /** The name; for a closed account with its number, for example {@code temp~41}. */
    public String reference() {
        return isClosed() ? name + MARK + closedSequence : name;
    }

    public AccountLife closedAt(long sequence, long millis) {
        return new AccountLife(name, openedSequence, openedMillis, sequence, millis, members);
    }

    public AccountLife with(Map<String, AccountRole> others) {
        return new AccountLife(name, openedSequence, openedMillis, closedSequence, closedMillis, others);
    }

    /** Whether users own it by record; if none does, the user of its name does. */
    public boolean hasOwner() {
        return members.containsValue(AccountRole.OWNER);
    }

    public MarketRecord record() {
        List<String> fields = new ArrayList<>(List.of(
                VERSION,
                Long.toString(openedSequence),
                Long.toString(openedMillis),
                Long.toString(closedSequence),
                Long.toString(closedMillis)));
        new TreeMap<>(members).forEach((user, role) -> fields.add(user + "=" + role.word()));
        return new MarketRecord(isClosed() ? CLOSED : OPEN, reference(), String.join(" ", fields));
    }

    /** @throws IllegalArgumentException one sentence, if the record has another version or is incomplete */
    public static AccountLife parse(MarketRecord record) {
        String[] field = record.content().split(" ", -1);
        String name = record.id();
        if (!field[0].equals(VERSION)) {
            throw new IllegalArgumentException("the account " + name + " has a record of the format '" + field[0]
                    + "', which is unknown to this version (known: " + VERSION
                    + "); start the version that wrote it");
        }
        if (record.kind().equals(CLOSED)) {
            name = name.substring(0, name.lastIndexOf(MARK));
        }
        try {
            Map<String, AccountRole> members = new TreeMap<>();
            for (String member : Arrays.asList(field).subList(5, field.length)) {
                int equals = member.lastIndexOf('=');
                members.put(member.substring(0, equals), AccountRole.of(member.substring(equals + 1)));
            }
            return new AccountLife(
                    name,
                    Long.parseLong(field[1]),
                    Long.parseLong(field[2]),
                    Long.parseLong(field[3]),
                    Long.parseLong(field[4]),
                    members);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("the record of the account " + record.id() + " is damaged", e);
        }
    }
}
