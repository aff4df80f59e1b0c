// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.Access;
import org.heddle.market.security.Access.Action;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.ChangeOrder;
import org.heddle.market.security.RateLimits;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.Role;
import org.heddle.scheduler.http.RecordMapper;
import org.jspecify.annotations.Nullable;

/**
 * One request for the API, with its authenticated caller.
 *
 * @param spends whether a user (first) may spend from an account (second), which not everybody may
 * @param path the open parts of the route's path, decoded
 * @param query parameters, each once
 * @param body fields of the JSON object in the body: text, or another object of texts
 * @param idempotencyKey marks a repetition of the same request
 * @param marks to be stored with a change
 * @param order of the changes that replace a value
 * @param limits of changes and new keys a day
 * @param createdSeconds time of the signature, seconds since 1970; the present time without one
 * @param origin the caller's address
 * @param nowMillis the date, milliseconds since 1970
 * @param monotonicMillis the time for everything that waits, by {@code Clocks.millis}
 */
public record ApiRequest(
        Market market,
        Caller caller,
        BiPredicate<String, String> spends,
        List<String> path,
        Map<String, String> query,
        Map<String, Object> body,
        String idempotencyKey,
        List<MarketRecord> marks,
        ChangeOrder order,
        RateLimits limits,
        long createdSeconds,
        String origin,
        long nowMillis,
        long monotonicMillis,
        @Nullable String accept) {
    private static final int MOST = 1_000;

    boolean may(Action action, String account) {
        return Access.allows(caller, action, account, market::ownsByName) || isSpender(action, account);
    }

    /** Whether an account is the caller's own: by its name, or by a role on it that is on record. */
    boolean isMember(String account) {
        boolean known = caller.how() != Caller.How.NOTHING && !caller.name().isEmpty();
        return known
                && (market.ownsByName(caller.name(), account)
                        || caller.accounts().containsKey(account)
                        || isSpender(Action.READ_STATEMENT, account));
    }

    /** Who may spend from a queue reads what was spent. */
    private boolean isSpender(Action action, String account) {
        return (action == Action.READ_ACCOUNT || action == Action.READ_STATEMENT)
                && caller.is(Role.USER)
                && !ApiKey.isOfAccount(caller.name())
                && spends.test(caller.name(), account);
    }

    /** @throws RefusedException (401) if the caller is unknown, (403) if the caller has no permission */
    public void demand(Action action, String account) throws RefusedException {
        if (may(action, account)) {
            return;
        }
        if (caller.how() == Caller.How.NOTHING) {
            throw RefusedException.notSigned();
        }
        throw RefusedException.forbidden(
                caller.name() + " may not do this" + (account.isEmpty() ? "" : " with " + AccountNames.shown(account))
                        + "; ask an administrator of the market");
    }

    public Mutation mutation() throws RefusedException {
        return mutation(marks);
    }

    /**
     * A change that replaces a value. Call it after the permission was checked.
     *
     * @param value its name in a sentence, for example {@code the rate of alice}
     * @throws RefusedException (409) if a change of the value that was signed later came before
     */
    public Mutation replacement(String value) throws RefusedException {
        List<MarketRecord> records = new ArrayList<>(marks);
        records.addAll(order.take(value, createdSeconds, nowMillis / 1_000));
        return mutation(records);
    }

    /**
     * Counts a change of an account. Call it after the permission was checked. Administrators are not limited.
     *
     * @throws RefusedException (429) if the account was changed too often today
     */
    public void countChange(String account) throws RefusedException {
        if (!caller.is(Role.ADMIN)) {
            limits.change(account, TimeUnit.MILLISECONDS.toNanos(monotonicMillis));
        }
    }

    /** Counts a new key. @throws RefusedException (429) if its owner got too many today */
    void countKey(String owner) throws RefusedException {
        limits.newKey(owner, TimeUnit.MILLISECONDS.toNanos(monotonicMillis));
    }

    private Mutation mutation(List<MarketRecord> records) throws RefusedException {
        try {
            return new Mutation(caller.name(), origin, idempotencyKey, records);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** The account in the path. */
    String account() {
        return AccountNames.account(path.get(0));
    }

    /** The account in the path, open or closed; see {@link Market#reference}. */
    String reference() {
        return market.reference(account());
    }

    /** A text in the body. @throws RefusedException (400) if it is missing or is not a text */
    String text(String field) throws RefusedException {
        if (body.get(field) instanceof String text) {
            return text;
        }
        throw RefusedException.badRequest("the body has no '" + field + "'; send {\"" + field + "\": ...}");
    }

    String text(String field, String fallback) throws RefusedException {
        return body.containsKey(field) ? text(field) : fallback;
    }

    /** An object of texts in the body. @throws RefusedException (400) if it is missing */
    Map<String, String> texts(String field, String example) throws RefusedException {
        if (!(body.get(field) instanceof Map<?, ?> given)) {
            throw RefusedException.badRequest(
                    "the body has no '" + field + "'; send {\"" + field + "\": " + example + ", ...}");
        }
        Map<String, String> texts = new TreeMap<>();
        given.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        return texts;
    }

    /** A value in the body with its own parser, which throws one sentence. */
    <T> T value(String field, Function<String, T> reader) throws RefusedException {
        try {
            return reader.apply(text(field));
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(field + ": " + e.getMessage());
        }
    }

    /** A whole number in the body. */
    long number(String field, @Nullable Long fallback, long least, long most) throws RefusedException {
        String text = fallback == null ? text(field) : text(field, Long.toString(fallback));
        return whole(field, text, least, most);
    }

    /** A whole number in the query. */
    long parameter(String name, long fallback, long least, long most) throws RefusedException {
        String text = query.get(name);
        return text == null ? fallback : whole(name, text, least, most);
    }

    /**
     * A word in the query that names one of some values.
     *
     * @param fallback if the query has no such parameter
     */
    <T extends Enum<T>> T choice(String name, T fallback, T[] values) throws RefusedException {
        String text = query.get(name);
        if (text == null) {
            return fallback;
        }
        for (T value : values) {
            if (RecordMapper.word(value).equals(text)) {
                return value;
            }
        }
        throw RefusedException.badRequest(name + " = '" + AccountNames.shown(text) + "' must be one of "
                + Arrays.stream(values).map(RecordMapper::word).collect(Collectors.joining(", ")));
    }

    /** Whether the caller asks for a table as comma-separated values. */
    boolean wantsCsv() {
        return accept != null && accept.startsWith("text/csv");
    }

    int most() throws RefusedException {
        return (int) parameter("most", 100, 1, MOST);
    }

    int points() throws RefusedException {
        return (int) parameter("points", 200, 1, MOST);
    }

    /** The start of the requested time; a day ago by default. */
    Instant from() throws RefusedException {
        return Instant.ofEpochMilli(parameter("from", nowMillis - 86_400_000L, 0, 1L << 50));
    }

    Instant to() throws RefusedException {
        return Instant.ofEpochMilli(parameter("to", nowMillis + 1, 0, 1L << 50));
    }

    private static long whole(String name, String text, long least, long most) throws RefusedException {
        if (text.matches("-?[0-9]{1,19}")) {
            BigDecimal value = new BigDecimal(text);
            if (value.compareTo(BigDecimal.valueOf(least)) >= 0 && value.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return value.longValueExact();
            }
        }
        throw RefusedException.badRequest(
                name + " = '" + AccountNames.shown(text) + "' must be a whole number from " + least + " to " + most);
    }
}
