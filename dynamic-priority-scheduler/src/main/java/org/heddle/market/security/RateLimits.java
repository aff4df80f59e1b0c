// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * Limits of requests by address, before any other work, and by key, after its signature was verified. An IPv6 address
 * counts as its /64 network, the smallest unit of one site.
 */
public final class RateLimits {
    private static final int NAMES = 20_000;
    private static final int IPV6_SITE_BYTES = 8;

    /**
     * The limits.
     *
     * @param perAddressSecond requests from one address
     * @param perKeySecond requests with valid signatures of one key
     * @param failuresPerSecond requests from one address with invalid signatures
     */
    public record Limits(int perAddressSecond, int perKeySecond, int failuresPerSecond) {
        public static final Limits DEFAULT = new Limits(1_000, 100, 5);
    }

    private final TokenBuckets addresses;
    private final TokenBuckets keys;
    private final TokenBuckets failures;

    public RateLimits(Limits limits) {
        addresses = new TokenBuckets(limits.perAddressSecond(), 2.0 * limits.perAddressSecond(), NAMES);
        keys = new TokenBuckets(limits.perKeySecond(), 2.0 * limits.perKeySecond(), NAMES);
        failures = new TokenBuckets(limits.failuresPerSecond(), 4.0 * limits.failuresPerSecond(), NAMES);
    }

    /** Counts a request; called first. @throws RefusedException (429) if there are too many from this address */
    public void arrival(String address, long nowNanos) throws RefusedException {
        String site = site(address);
        long wait = addresses.take(site, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany("too many requests from " + address + "; slow down", wait);
        }
    }

    /**
     * Called before a signature is verified. @throws RefusedException (429) if too many from this address were invalid
     */
    public void beforeProof(String address, long nowNanos) throws RefusedException {
        long wait = failures.peek(site(address), nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany("too many requests from " + address + " had invalid signatures; wait", wait);
        }
    }

    /** Counts a request with an invalid signature. */
    public void failure(String address, long nowNanos) {
        failures.take(site(address), nowNanos);
    }

    /** Counts a request with a valid signature. @throws RefusedException (429) if there are too many with its key */
    public void proven(String keyId, long nowNanos) throws RefusedException {
        long wait = keys.take(keyId, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany("too many requests with the key " + keyId + "; slow down", wait);
        }
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
