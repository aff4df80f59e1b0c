// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * The limits that hold before anything is computed for a request, and those of a key once its signature is known to be
 * good. An IPv6 caller is counted by its /64, the least that one site has.
 */
public final class RateLimits {
    private static final int NAMES = 20_000;
    private static final int IPV6_SITE_BYTES = 8;

    /**
     * How much is allowed.
     *
     * @param perAddressSecond requests from one address
     * @param perKeySecond requests with good signatures of one key
     * @param failuresPerSecond requests from one address that fail to prove who they are from
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

    /** To be called before anything else. @throws RefusedException (429) if there is too much from this address */
    public void arrival(String address, long nowNanos) throws RefusedException {
        String site = site(address);
        long wait = addresses.take(site, nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany("too many requests from " + address + "; slow down", wait);
        }
    }

    /** To be called before a signature is checked. @throws RefusedException (429) if too many from here were wrong */
    public void beforeProof(String address, long nowNanos) throws RefusedException {
        long wait = failures.peek(site(address), nowNanos);
        if (wait > 0) {
            throw RefusedException.tooMany(
                    "too many requests from " + address + " could not prove who they are from; wait", wait);
        }
    }

    /** A request that did not prove who it is from. */
    public void failure(String address, long nowNanos) {
        failures.take(site(address), nowNanos);
    }

    /** A request whose signature is good. @throws RefusedException (429) if there are too many with its key */
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
            // A literal address: nothing is looked up.
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length > IPV6_SITE_BYTES ? HexFormat.of().formatHex(bytes, 0, IPV6_SITE_BYTES) : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
