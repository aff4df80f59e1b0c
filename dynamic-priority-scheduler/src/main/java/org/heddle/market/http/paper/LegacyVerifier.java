// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.security.Hashes;
import org.heddle.market.security.Nonces;
import org.heddle.market.security.RateLimits;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestVerifier;
import org.heddle.market.security.Role;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signatures of 2009 for {@code /scheduler}: {@code Authorization: urlencode(base64(HMAC-SHA1(secret,
 * query)))}, with a query that ends in {@code &user=U&timestamp=MILLIS}. Off unless a users file is configured.
 * Thread-safe.
 *
 * <p>What the code of 2009 lacked: the comparison takes constant time; a timestamp may be neither old nor ahead of this
 * clock, so that a timestamp far in the future does not lock its user out; the timestamps of a user only increase, over
 * reloads of the file and, for changes, over restarts and failovers; removed users have no access. One weakness cannot
 * be repaired: the signature does not cover method, host and body. So it is accepted for one path only, and bodies are
 * ignored there.
 */
public final class LegacyVerifier {
    private static final Pattern ENDING = Pattern.compile("(?:^|.*&)user=([^&=]{1,128})&timestamp=([0-9]{1,15})");
    /** First part of the ids of the marks, which no id of an API key has. */
    private static final String OWNER = "legacy:";

    private static final byte[] NO_SECRET = new byte[1];

    private final RequestVerifier.Profile profile;
    private final LegacyUsers users;
    private final Nonces nonces;
    private final RateLimits limits;
    private final Map<String, Long> lastTimestamps = new HashMap<>();

    /**
     * A request by a user in the file.
     *
     * @param user the name
     * @param role the role in the file
     * @param timestamp of the signature, milliseconds since 1970
     * @param marks to be stored in the same transaction as the change
     */
    public record Proof(String user, Role role, long timestamp, List<MarketRecord> marks) {}

    public LegacyVerifier(
            RequestVerifier.Profile profile, LegacyUsers users, Map<String, MarketRecord> marks, RateLimits limits) {
        this.profile = profile;
        this.users = users;
        Map<String, MarketRecord> own = new TreeMap<>(marks);
        own.keySet().removeIf(id -> !id.startsWith(OWNER));
        this.nonces = new Nonces(profile.lifeMillis(), OWNER, own);
        own.forEach((id, mark) -> lastTimestamps.merge(
                id.substring(OWNER.length(), id.lastIndexOf('/')),
                Long.parseLong(mark.content()) * 1_000 - 1,
                Math::max));
        this.limits = limits;
    }

    /** Whether a request has such a signature. */
    public static boolean isSigned(@Nullable String query, @Nullable String authorization) {
        return query != null
                && authorization != null
                && authorization.indexOf(' ') < 0
                && ENDING.matcher(query).matches();
    }

    /** @throws RefusedException if the request must not be executed */
    public Proof verify(
            String query, String authorization, boolean changes, String address, long nowMillis, long nowNanos)
            throws RefusedException {
        LegacyUsers.User user;
        Matcher ending = ENDING.matcher(query);
        String named = OWNER + (ending.matches() ? ending.group(1) : "");
        limits.beforeProof(address, named, nowNanos);
        try {
            user = proven(query, authorization, ending, nowMillis);
        } catch (RefusedException e) {
            throw limits.failure(address, named, e, nowNanos);
        }
        limits.proven("legacy " + user.name(), nowNanos);
        long timestamp = Long.parseLong(ending.group(2));
        return new Proof(user.name(), user.role(), timestamp, takeOnce(user.name(), timestamp, changes, nowMillis));
    }

    private LegacyUsers.User proven(String query, String authorization, Matcher ending, long nowMillis)
            throws RefusedException {
        if (!ending.matches()) {
            throw RefusedException.unauthenticated(
                    "not-signed", "the query does not end in &user=USER&timestamp=MILLIS");
        }
        LegacyUsers.User user = users.find(ending.group(1), nowMillis);
        byte[] expected =
                Hashes.hmacSha1(user == null ? NO_SECRET : user.secret(), query.getBytes(StandardCharsets.UTF_8));
        boolean same = MessageDigest.isEqual(expected, signature(authorization));
        if (user == null || !same) {
            throw RefusedException.unauthenticated(
                    "wrong-signature", "the signature is wrong, or the user does not exist");
        }
        long timestamp = Long.parseLong(ending.group(2));
        if (timestamp < nowMillis - profile.pastMillis()) {
            throw RefusedException.unauthenticated(
                    "too-old", "the timestamp is too old; it is " + nowMillis + " here: set your clock or sign again");
        }
        if (timestamp > nowMillis + profile.aheadMillis()) {
            throw RefusedException.unauthenticated(
                    "in-the-future", "the timestamp is in the future; it is " + nowMillis + " here: set your clock");
        }
        return user;
    }

    private static byte[] signature(String authorization) {
        try {
            return Base64.getDecoder().decode(URLDecoder.decode(authorization, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private synchronized List<MarketRecord> takeOnce(String user, long timestamp, boolean changes, long nowMillis)
            throws RefusedException {
        long notBefore = profile.startedMillis() + (changes ? 0 : profile.aheadMillis() + 1);
        if (timestamp < notBefore) {
            throw RefusedException.unauthenticated(
                    "signed-before-takeover",
                    "the request may have been signed before this ResourceManager became active; sign it again"
                            + " with a timestamp after " + notBefore);
        }
        if (lastTimestamps.getOrDefault(user, Long.MIN_VALUE) >= timestamp) {
            throw RefusedException.unauthenticated(
                    "replayed", "a request of " + user + " with this timestamp or a later one came before");
        }
        List<MarketRecord> marks =
                nonces.take(OWNER + user, Long.toString(timestamp), timestamp / 1_000, changes, nowMillis / 1_000);
        lastTimestamps.put(user, timestamp);
        return marks;
    }
}
