// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.heddle.market.model.naming.AccountNames;

/**
 * Limits of requests. One bad client must not keep out the others behind the same address (a proxy, NAT, an edge node):
 *
 * <ul>
 *   <li>Requests without a valid signature are limited by address.
 *   <li>Signed requests are verified even if their address is over that limit; verifications are limited by address and
 *       key id, so that a client can use up only the limit of the key id that it names.
 *   <li>Invalid signatures are counted by address and key id. Those beyond the limit are answered with 429; valid ones
 *       are not affected.
 *   <li>Requests with a valid signature are limited by key.
 * </ul>
 *
 * <p>An IPv6 address counts as its /64 network, the smallest unit of one site.
 */
public final class RateLimits {
    private static final int NAMES = 20_000;
    private static final int IPV6_SITE_BYTES = 8;

    /** Longer key ids are counted together: no key has such an id. */
    private static final int LONGEST_KEY_ID = 150;

    private static final double SECONDS_PER_DAY = 86_400;

    /**
     * The limits.
     *
     * @param perAddressSecond requests without a valid signature from one address; verifications for one key id and
     *     address
     * @param perKeySecond requests with valid signatures of one key
     * @param failuresPerSecond requests with invalid signatures of one key id from one address
     * @param changesPerAccountDay changes of one account by users
     * @param keysPerOwnerDay new keys of one owner
     */
    public record Limits(
            int perAddressSecond,
            int perKeySecond,
            int failuresPerSecond,
            int changesPerAccountDay,
            int keysPerOwnerDay) {
        public static final Limits DEFAULT = new Limits(1_000, 100, 5, 10_000, 50);
    }

    private final TokenBuckets addresses;
    private final TokenBuckets proofs;
    private final TokenBuckets keys;
    private final TokenBuckets failures;
    private final TokenBuckets changes;
    private final TokenBuckets newKeys;

    public RateLimits(Limits limits) {
        addresses = new TokenBuckets(limits.perAddressSecond(), 2.0 * limits.perAddressSecond(), NAMES);
        proofs = new TokenBuckets(limits.perAddressSecond(), 2.0 * limits.perAddressSecond(), NAMES);
        keys = new TokenBuckets(limits.perKeySecond(), 2.0 * limits.perKeySecond(), NAMES);
        failures = new TokenBuckets(limits.failuresPerSecond(), 4.0 * limits.failuresPerSecond(), NAMES);
        changes =
                new TokenBuckets(limits.changesPerAccountDay() / SECONDS_PER_DAY, limits.changesPerAccountDay(), NAMES);
        newKeys = new TokenBuckets(limits.keysPerOwnerDay() / SECONDS_PER_DAY, limits.keysPerOwnerDay(), NAMES);
    }

    /**
     * Counts a request; called first.
     *
     * @return 0, or if there are too many from this address the milliseconds until there is room for one more
     */
    public long arrival(String address, long nowNanos) {
        return addresses.take(site(address), nowNanos);
    }

    /** Refuses a request without a valid signature. @throws RefusedException (429) if its arrival was over the limit */
    public static void checkArrival(String address, long waitMillis) throws RefusedException {
        if (waitMillis > 0) {
            throw RefusedException.tooMany("too many requests from " + address + "; slow down", waitMillis);
        }
    }

    /**
     * Called before a signature is verified. @throws RefusedException (429) if there are too many requests from this
     * address that name this key id
     */
    public void beforeProof(String address, String keyId, long nowNanos) throws RefusedException {
        long wait = proofs.take(name(address, keyId), nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany(
                    "too many requests from " + address + " name the key " + AccountNames.shown(keyId) + "; slow down",
                    wait);
        }
    }

    /** Counts a request with an invalid signature. @return its refusal: the given one, or 429 if there are too many */
    public RefusedException failure(String address, String keyId, RefusedException refusal, long nowNanos) {
        long wait = failures.take(name(address, keyId), nowNanos);
        if (wait == 0) {
            return refusal;
        }
        return RefusedException.tooMany(
                "too many requests from " + address + " that name the key " + AccountNames.shown(keyId)
                        + " had invalid signatures; the last problem: " + refusal.sentence(),
                wait);
    }

    /** Counts a request with a valid signature. @throws RefusedException (429) if there are too many with its key */
    public void proven(String keyId, long nowNanos) throws RefusedException {
        long wait = keys.take(keyId, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany("too many requests with the key " + keyId + "; slow down", wait);
        }
    }

    /**
     * Counts a change of an account by a user: each one stays in the ledger and in the audit for a long time.
     *
     * @throws RefusedException (429) if there were too many within a day
     */
    public void change(String account, long nowNanos) throws RefusedException {
        long wait = changes.take(account, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany(
                    "account " + AccountNames.shown(account)
                            + " was changed too often today; the next change is possible" + " in " + seconds(wait)
                            + " s",
                    wait);
        }
    }

    /** Counts a new key of an owner. @throws RefusedException (429) if there were too many within a day */
    public void newKey(String owner, long nowNanos) throws RefusedException {
        long wait = newKeys.take(owner, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany(
                    AccountNames.shown(owner) + " got too many new keys today; the next one is possible in "
                            + seconds(wait) + " s",
                    wait);
        }
    }

    private static long seconds(long millis) {
        return (millis + 999) / 1_000;
    }

    private static String name(String address, String keyId) {
        return site(address) + ' ' + (keyId.length() > LONGEST_KEY_ID ? "" : keyId);
    }

    static String site(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            // A literal address: there is no DNS lookup.
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length > IPV6_SITE_BYTES ? HexFormat.of().formatHex(bytes, 0, IPV6_SITE_BYTES) : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
