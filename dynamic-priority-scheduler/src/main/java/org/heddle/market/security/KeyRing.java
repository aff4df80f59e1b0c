// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.heddle.market.model.change.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a cluster: found by id, made, ended. Reads its store once, when it is made; from then on it is the only one
 * that writes to it. Any thread.
 */
public final class KeyRing {
    /** Most keys of one owner that are good at the same time: enough for a few programs and to change them. */
    public static final int LIVE_KEYS = 5;
    /** Owner of the key that follows from the master key alone: who has that can make the first administrator's key. */
    public static final String OPERATOR = "heddle.operator";

    private static final int SALT_BYTES = 16;

    private final MasterKeys masters;
    private final KeyStore store;
    private final SecureRandom random;
    private final Map<String, ApiKey> keys = new ConcurrentHashMap<>();
    private final Map<String, Long> lastUsed = new ConcurrentHashMap<>();

    /** A new key with its secret, which is shown this once. */
    public record Issued(ApiKey key, String secret) {}

    public KeyRing(MasterKeys masters, KeyStore store, SecureRandom random) {
        this.masters = masters;
        this.store = store;
        this.random = random;
        store.keys().forEach(key -> keys.put(key.id(), key));
    }

    /** The operator's key as the holder of a master key knows it. */
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

    /** When a key was last used, as far as this process knows; 0 for never. */
    public long lastUsedMillis(ApiKey key) {
        return lastUsed.getOrDefault(key.id(), 0L);
    }

    /** One owner's keys, or all with {@code null}; by owner and number. */
    public List<ApiKey> list(@Nullable String owner) {
        return keys.values().stream()
                .filter(key -> owner == null || key.owner().equals(owner))
                .sorted(Comparator.comparing(ApiKey::owner).thenComparingInt(ApiKey::number))
                .toList();
    }

    /**
     * Makes a key.
     *
     * @param notAfterMillis when it ends; {@link Long#MAX_VALUE} for never
     * @throws RefusedException if the owner cannot have keys or has enough, or it cannot be stored
     */
    public synchronized Issued issue(String owner, Role cap, long notAfterMillis, Mutation by, long nowMillis)
            throws RefusedException {
        if (!ApiKey.isOwner(owner) || owner.equals(OPERATOR)) {
            throw RefusedException.badRequest(
                    "'" + printable(owner) + "' cannot have keys; names of key owners have 1 to"
                            + " 128 characters out of A-Z a-z 0-9 _ . @ -");
        }
        if (notAfterMillis <= nowMillis) {
            throw RefusedException.badRequest("the key would have ended already; let it end later than now");
        }
        List<ApiKey> before = list(owner);
        if (before.stream().filter(key -> key.isLive(nowMillis)).count() >= LIVE_KEYS) {
            throw RefusedException.conflict(owner + " has " + LIVE_KEYS + " good keys already; revoke one first");
        }
        int number = before.stream().mapToInt(ApiKey::number).max().orElse(0) + 1;
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        ApiKey key = new ApiKey(
                owner, number, cap, MasterKeys.text(salt), masters.presentId(), nowMillis, notAfterMillis, 0);
        put(key, by, "issue-key");
        byte[] secret = masters.secret(key);
        if (secret == null) {
            throw new IllegalStateException("a key that was made with the present master key has no secret");
        }
        return new Issued(key, MasterKeys.text(secret));
    }

    /**
     * Replaces a key by a new one with the same rights; the old one stays good for a while.
     *
     * @throws RefusedException if there is no such key, it is not good any more, or it cannot be stored
     */
    public synchronized Issued rotate(String id, long graceMillis, Mutation by, long nowMillis)
            throws RefusedException {
        ApiKey old = existing(id);
        if (!old.isLive(nowMillis)) {
            throw RefusedException.conflict("the key " + id + " is not good any more; make a new one");
        }
        long end = old.notAfterMillis();
        long length = end == Long.MAX_VALUE ? Long.MAX_VALUE : end - old.createdMillis();
        long notAfter = length == Long.MAX_VALUE ? Long.MAX_VALUE : nowMillis + length;
        Issued issued = issue(old.owner(), old.cap(), notAfter, by, nowMillis);
        put(old.endingAt(nowMillis + graceMillis), following(by), "end-key");
        return issued;
    }

    /** Ends a key at once. Revoking a revoked key changes nothing. @throws RefusedException if there is no such key */
    public synchronized ApiKey revoke(String id, Mutation by, long nowMillis) throws RefusedException {
        ApiKey key = existing(id);
        if (key.revokedMillis() != 0) {
            return key;
        }
        ApiKey revoked = key.revokedAt(nowMillis);
        put(revoked, by, "revoke-key");
        return revoked;
    }

    /** The key. @throws RefusedException (404) if there is none */
    public ApiKey existing(String id) throws RefusedException {
        ApiKey key = keys.get(id);
        if (key == null) {
            throw RefusedException.notFound("there is no key '" + printable(id) + "'");
        }
        return key;
    }

    /** The same request's second change: marks are stored already, and the books tell changes apart by their keys. */
    private static Mutation following(Mutation by) {
        return new Mutation(
                by.principal(),
                by.origin(),
                MasterKeys.text(
                        Hashes.digest("SHA-256", (by.idempotencyKey() + " 2").getBytes(StandardCharsets.UTF_8))));
    }

    private void put(ApiKey key, Mutation by, String action) throws RefusedException {
        store.put(key, by, action);
        keys.put(key.id(), key);
    }

    private static String printable(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.length() <= 80 ? plain : plain.substring(0, 80) + "...";
    }
}
