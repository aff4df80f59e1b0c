// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.naming.AccountNames;
import org.jspecify.annotations.Nullable;

/**
 * The API keys of a cluster: lookup, creation, rotation and revocation. It reads its store once, when it is created;
 * after that it is the store's only writer. It forgets ended keys some time after their end, and when an owner has many
 * of them, but never the last number of an owner, because no number is used twice. Thread-safe.
 */
public final class KeyRing {
    /** Limit of the valid keys of one owner: enough for a few programs and for rotation. */
    public static final int LIVE_KEYS = 5;
    /** Owner of the key that is derived from the master key alone; it creates the first administrator's key. */
    public static final String OPERATOR = "heddle.operator";

    private static final int SALT_BYTES = 16;
    /** Limit of the ended keys of one owner that are kept. */
    static final int ENDED_KEYS = 20;
    /** Limit of the keys that one change removes, so that its transaction stays small. */
    private static final int FORGOTTEN_AT_ONCE = 20;

    private final MasterKeys masters;
    private final KeyStore store;
    private final SecureRandom random;
    private final Duration keepEnded;
    private final Map<String, ApiKey> keys = new ConcurrentHashMap<>();
    private final Map<String, Long> lastUsed = new ConcurrentHashMap<>();

    /** A new key with its secret, which is returned only here. */
    public record Issued(ApiKey key, String secret) {}

    /** @param keepEnded time for which ended keys are listed */
    public KeyRing(MasterKeys masters, KeyStore store, SecureRandom random, Duration keepEnded) {
        this.keepEnded = keepEnded;
        this.masters = masters;
        this.store = store;
        this.random = random;
        store.keys().forEach(key -> keys.put(key.id(), key));
    }

    /** The operator's key, for holders of a master key. */
    public static ApiKey operatorKey(MasterKeys masters) {
        return new ApiKey(OPERATOR, 1, Role.ADMIN, "", masters.presentId(), 0, Long.MAX_VALUE, 0);
    }

    @Nullable
    ApiKey find(String id) {
        if (id.equals(OPERATOR + "/1")) {
            return operatorKey(masters);
        }
        return keys.get(id);
    }

    byte @Nullable [] secret(ApiKey key) {
        return masters.secret(key);
    }

    void used(ApiKey key, long nowMillis) {
        lastUsed.put(key.id(), nowMillis);
    }

    /** Last use of a key in this process; 0 for never. */
    public long lastUsedMillis(ApiKey key) {
        return lastUsed.getOrDefault(key.id(), 0L);
    }

    /** The keys of one owner, or all for {@code null}; by owner and number. */
    public List<ApiKey> list(@Nullable String owner) {
        return keys.values().stream()
                .filter(key -> owner == null || key.owner().equals(owner))
                .sorted(Comparator.comparing(ApiKey::owner).thenComparingInt(ApiKey::number))
                .toList();
    }

    /**
     * Creates a key.
     *
     * @param notAfterMillis time of expiry; {@link Long#MAX_VALUE} for never
     * @throws RefusedException if the owner cannot have keys or has too many, or the key cannot be stored
     */
    public synchronized Issued issue(String owner, Role cap, long notAfterMillis, Mutation by, long nowMillis)
            throws RefusedException {
        if (!ApiKey.isOwner(owner) || owner.equals(OPERATOR)) {
            throw RefusedException.badRequest(
                    "'" + AccountNames.shown(owner) + "' cannot have keys; names of key owners have 1 to"
                            + " 128 characters out of A-Z a-z 0-9 _ . @ -");
        }
        if (notAfterMillis <= nowMillis) {
            throw RefusedException.badRequest("the key would have expired already; choose a later time");
        }
        List<ApiKey> before = list(owner);
        if (before.stream().filter(key -> key.isLive(nowMillis)).count() >= LIVE_KEYS) {
            throw RefusedException.conflict(owner + " has " + LIVE_KEYS + " valid keys already; revoke one first");
        }
        int number = before.stream().mapToInt(ApiKey::number).max().orElse(0) + 1;
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        ApiKey key = new ApiKey(
                owner, number, cap, MasterKeys.text(salt), masters.presentId(), nowMillis, notAfterMillis, 0);
        put(key, by, "issue-key", nowMillis);
        byte[] secret = masters.secret(key);
        if (secret == null) {
            throw new IllegalStateException("a key that was made with the present master key has no secret");
        }
        return new Issued(key, MasterKeys.text(secret));
    }

    /**
     * Replaces a key with a new one that has the same role; the old one stays valid for a while.
     *
     * @throws RefusedException if the key does not exist or is not valid any more, or the new one cannot be stored
     */
    public synchronized Issued rotate(String id, long graceMillis, Mutation by, long nowMillis)
            throws RefusedException {
        ApiKey old = existing(id);
        if (!old.isLive(nowMillis)) {
            throw RefusedException.conflict("the key " + id + " is not valid any more; create a new one");
        }
        long end = old.notAfterMillis();
        long length = end == Long.MAX_VALUE ? Long.MAX_VALUE : end - old.createdMillis();
        long notAfter = length == Long.MAX_VALUE ? Long.MAX_VALUE : nowMillis + length;
        Issued issued = issue(old.owner(), old.cap(), notAfter, by, nowMillis);
        put(old.endingAt(nowMillis + graceMillis), following(by), "end-key", nowMillis);
        return issued;
    }

    /**
     * Revokes a key at once. A second revocation changes nothing. @throws RefusedException if the key does not exist
     */
    public synchronized ApiKey revoke(String id, Mutation by, long nowMillis) throws RefusedException {
        ApiKey key = existing(id);
        if (key.revokedMillis() != 0) {
            return key;
        }
        ApiKey revoked = key.revokedAt(nowMillis);
        put(revoked, by, "revoke-key", nowMillis);
        return revoked;
    }

    /** The key. @throws RefusedException (404) if there is none */
    public ApiKey existing(String id) throws RefusedException {
        ApiKey key = keys.get(id);
        if (key == null) {
            throw RefusedException.notFound("there is no key '" + AccountNames.shown(id) + "'");
        }
        return key;
    }

    /**
     * The second change of the same request: the marks are stored already, and the ledger identifies changes by their
     * keys.
     */
    private static Mutation following(Mutation by) {
        return new Mutation(
                by.principal(),
                by.origin(),
                MasterKeys.text(
                        Hashes.digest("SHA-256", (by.idempotencyKey() + " 2").getBytes(StandardCharsets.UTF_8))));
    }

    private void put(ApiKey key, Mutation by, String action, long nowMillis) throws RefusedException {
        List<String> forgotten = forgettable(nowMillis);
        forgotten.remove(key.id());
        store.put(key, forgotten, by, action);
        keys.put(key.id(), key);
        keys.keySet().removeAll(forgotten);
        lastUsed.keySet().removeAll(forgotten);
    }

    private List<String> forgettable(long nowMillis) {
        List<String> ids = new ArrayList<>();
        Map<String, List<ApiKey>> byOwner = list(null).stream().collect(Collectors.groupingBy(ApiKey::owner));
        for (List<ApiKey> ofOwner : byOwner.values()) {
            List<ApiKey> ended = ofOwner.subList(0, ofOwner.size() - 1).stream()
                    .filter(key -> !key.isLive(nowMillis))
                    .sorted(Comparator.comparing(ApiKey::endMillis).reversed())
                    .toList();
            for (int i = 0; i < ended.size(); i++) {
                if (i >= ENDED_KEYS || ended.get(i).endMillis() < nowMillis - keepEnded.toMillis()) {
                    ids.add(ended.get(i).id());
                }
            }
        }
        return new ArrayList<>(ids.subList(0, Math.min(ids.size(), FORGOTTEN_AT_ONCE)));
    }
}
