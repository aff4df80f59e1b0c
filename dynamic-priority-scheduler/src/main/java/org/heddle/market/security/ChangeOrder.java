// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.model.change.MarketRecord;

/**
 * Order of the changes that replace a value, for example the rate of an account: a delayed request must not undo a
 * later one. A change that was signed more than {@link #WINDOW_SECONDS} before the last change of the same value is
 * refused. Changes that add up, such as deposits, need no order. The last time of each value is stored in the same
 * transaction as the change, and is forgotten when signatures of that age are refused anyway. Thread-safe.
 */
public final class ChangeOrder {
    /** Kind of the records. */
    public static final String KIND = "change-order";
    /** Requests that were signed this close together may arrive in any order. */
    public static final long WINDOW_SECONDS = 5;

    /** Id of a record among the values, which have longer ids. */
    private static final String FORGOTTEN = "forgotten";

    private static final int HASH_BYTES = 16;
    private static final int REMOVED_AT_ONCE = 20;

    private final long keepSeconds;
    /** Time of the last change by the hash of the value's name, earliest arrival first. */
    private final Map<String, Long> last = new LinkedHashMap<>();

    private final Forgotten forgotten;

    /**
     * @param keepMillis time after which a signature is refused because of its age
     * @param stored the stored records, by {@link #KIND}
     */
    public ChangeOrder(long keepMillis, Map<String, MarketRecord> stored) {
        this.keepSeconds = keepMillis / 1_000 + 1;
        this.forgotten = new Forgotten(KIND, FORGOTTEN, stored.get(FORGOTTEN));
        stored.values().stream()
                .filter(record -> !record.id().equals(FORGOTTEN))
                .sorted(Comparator.comparing(record -> Long.parseLong(record.content())))
                .forEach(record -> last.put(record.id(), Long.parseLong(record.content())));
    }

    /**
     * Accepts a change of a value.
     *
     * @param value its name in a sentence, for example {@code the rate of alice}
     * @param createdSeconds time of the signature; a time ahead of {@code nowSeconds} counts as that
     * @return the records to store with the change
     * @throws RefusedException (409) if a later change came before
     */
    public synchronized List<MarketRecord> take(String value, long createdSeconds, long nowSeconds)
            throws RefusedException {
        String id = hash(value);
        long created = Math.min(createdSeconds, nowSeconds);
        long before = last.getOrDefault(id, Long.MIN_VALUE / 2);
        if (created + WINDOW_SECONDS < before) {
            throw RefusedException.of(
                    RefusedException.Kind.CONFLICT,
                    "out-of-order",
                    "a change of " + value + " that was signed " + (before - created)
                            + " s later came before; sign this change again if you still want it");
        }
        if (!last.containsKey(id) && created + WINDOW_SECONDS <= forgotten.latest()) {
            throw RefusedException.of(
                    RefusedException.Kind.CONFLICT,
                    "out-of-order",
                    "a later change of " + value
                            + " may have come before, because the clock here was set back after this"
                            + " one was signed; sign it again if you still want it");
        }
        long latest = Math.max(created, before);
        List<MarketRecord> records = new ArrayList<>();
        records.add(new MarketRecord(KIND, id, Long.toString(latest)));
        last.remove(id);
        for (Iterator<Map.Entry<String, Long>> old = last.entrySet().iterator();
                old.hasNext() && records.size() <= REMOVED_AT_ONCE; ) {
            Map.Entry<String, Long> eldest = old.next();
            if (eldest.getValue() + keepSeconds >= nowSeconds) {
                break;
            }
            records.add(new MarketRecord(KIND, eldest.getKey(), ""));
            forgotten.add(eldest.getValue());
            old.remove();
        }
        if (records.size() > 1) {
            records.add(forgotten.record());
        }
        last.put(id, latest);
        return records;
    }

    private static String hash(String value) {
        byte[] hash = Hashes.digest("SHA-256", value.getBytes(StandardCharsets.UTF_8));
        return MasterKeys.text(Arrays.copyOf(hash, HASH_BYTES));
    }
}
