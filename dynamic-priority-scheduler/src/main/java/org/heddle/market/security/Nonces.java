// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.heddle.market.model.change.MarketRecord;

/**
 * The used nonces. Starts with the stored marks, and forgets nonces and marks that are too old to be accepted, whatever
 * key they belong to: the marks of a revoked key go with those of the others. How far it has forgotten is remembered,
 * so no step of the clock makes a nonce valid twice. Thread-safe.
 */
final class Nonces {
    static final String KIND = "signature-mark";
    private static final String FORGOTTEN = "/forgotten";
    private static final int HASH_BYTES = 16;
    /** Limit of the marks that one change removes, so that its transaction stays small. */
    private static final int REMOVED_AT_ONCE = 20;

    private record Used(String id, long created) {}

    private final long keepSeconds;
    private final Set<String> used = new HashSet<>();
    private final Queue<Used> byTime = new PriorityQueue<>(Comparator.comparing(Used::created));
    private final Queue<Used> marks = new PriorityQueue<>(Comparator.comparing(Used::created));
    private final Forgotten forgotten;
    private final Forgotten removed;

    /** @param keepMillis time after {@code created} for which a signature may be accepted */
    Nonces(long keepMillis, Map<String, MarketRecord> stored) {
        this.keepSeconds = keepMillis / 1_000 + 1;
        this.forgotten = new Forgotten(KIND, FORGOTTEN, stored.get(FORGOTTEN));
        this.removed = new Forgotten(KIND, FORGOTTEN, stored.get(FORGOTTEN));
        stored.values().stream().filter(mark -> !mark.id().equals(FORGOTTEN)).forEach(mark -> {
            Used taken = new Used(mark.id(), Long.parseLong(mark.content()));
            remember(taken);
            marks.add(taken);
        });
    }

    /**
     * Uses a nonce.
     *
     * @return for a change: the mark to store with it, and older ones to remove; else nothing
     * @throws RefusedException (401) if the nonce was used before, or may have been
     */
    synchronized List<MarketRecord> take(String keyId, String nonce, long created, boolean changes, long nowSeconds)
            throws RefusedException {
        forget(nowSeconds);
        String id = keyId + "/" + hash(nonce);
        if (used.contains(id)) {
            throw RefusedException.unauthenticated(
                    "replayed", "this request is a repetition; sign every request with a new nonce");
        }
        if (created <= forgotten.latest()) {
            throw RefusedException.unauthenticated(
                    "replayed",
                    "this request may be a repetition, because the clock here was set back; sign it again after "
                            + Instant.ofEpochSecond(forgotten.latest()));
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
        for (Used old = marks.peek();
                old != null && records.size() <= REMOVED_AT_ONCE && isOld(old, nowSeconds);
                old = marks.peek()) {
            records.add(new MarketRecord(KIND, old.id(), ""));
            removed.add(old.created());
            marks.remove();
        }
        if (records.size() > 1) {
            records.add(removed.record());
        }
        marks.add(taken);
        return records;
    }

    private void forget(long nowSeconds) {
        for (Used old = byTime.peek(); old != null && isOld(old, nowSeconds); old = byTime.peek()) {
            used.remove(old.id());
            forgotten.add(old.created());
            byTime.remove();
        }
    }

    private boolean isOld(Used taken, long nowSeconds) {
        return taken.created() + keepSeconds < nowSeconds;
    }

    private static String hash(String nonce) {
        byte[] hash = Hashes.digest("SHA-256", nonce.getBytes(StandardCharsets.US_ASCII));
        return MasterKeys.text(Arrays.copyOf(hash, HASH_BYTES));
    }
}
