// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.market.model.change.MarketRecord;

/**
 * The used nonces. Starts with the stored marks, and forgets nonces and marks that are too old to be accepted, whatever
 * key they belong to: the marks of a revoked key go with those of the others. Thread-safe.
 */
public final class Nonces {
    static final String KIND = "signature-mark";
    private static final int HASH_BYTES = 16;
    /** Limit of the marks that one change removes, so that its transaction stays small. */
    private static final int REMOVED_AT_ONCE = 20;

    private record Used(String id, long created) {}

    private final long keepSeconds;
    private final Set<String> used = new HashSet<>();
    private final Deque<Used> byTime = new ArrayDeque<>();
    private final Deque<Used> marks = new ArrayDeque<>();

    /** @param keepMillis time after {@code created} for which a signature may be accepted */
    public Nonces(long keepMillis, Map<String, MarketRecord> stored) {
        this.keepSeconds = keepMillis / 1_000 + 1;
        stored.values().stream()
                .map(mark -> new Used(mark.id(), Long.parseLong(mark.content())))
                .sorted(Comparator.comparing(Used::created))
                .forEach(mark -> {
                    remember(mark);
                    marks.add(mark);
                });
    }

    /**
     * Uses a nonce.
     *
     * @return for a change: the mark to store with it, and older ones to remove; else nothing
     * @throws RefusedException (401) if the nonce was used before
     */
    public synchronized List<MarketRecord> take(
            String keyId, String nonce, long created, boolean changes, long nowSeconds) throws RefusedException {
        forget(nowSeconds);
        String id = keyId + "/" + hash(nonce);
        if (used.contains(id)) {
            throw RefusedException.unauthenticated(
                    "replayed", "this request is a repetition; sign every request with a new nonce");
        }
        Used taken = new Used(id, created);
        remember(taken);
        return changes ? mark(taken, nowSeconds) : List.of();
    }

    private void remember(Used taken) {
        used.add(taken.id());
        byTime.add(taken);
    }

    private List<MarketRecord> mark(Used taken, long nowSeconds) {
        List<MarketRecord> records = new ArrayList<>();
        records.add(new MarketRecord(KIND, taken.id(), Long.toString(taken.created())));
        while (!marks.isEmpty()
                && records.size() <= REMOVED_AT_ONCE
                && marks.peekFirst().created() + keepSeconds < nowSeconds) {
            records.add(new MarketRecord(KIND, marks.pollFirst().id(), ""));
        }
        marks.add(taken);
        return records;
    }

    /** The order of arrival is nearly the order of {@code created}; a late nonce stays a little longer. */
    private void forget(long nowSeconds) {
        while (!byTime.isEmpty() && byTime.peekFirst().created() + keepSeconds < nowSeconds) {
            used.remove(byTime.pollFirst().id());
        }
    }

    private static String hash(String nonce) {
        byte[] hash = Hashes.digest("SHA-256", nonce.getBytes(StandardCharsets.US_ASCII));
        return MasterKeys.text(Arrays.copyOf(hash, HASH_BYTES));
    }
}
