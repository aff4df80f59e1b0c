// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * The recipe of 2009 for {@code /scheduler}: {@code Authorization: urlencode(base64(HMAC-SHA1(secret, query)))}, where the
 * query ends in {@code &user=U&timestamp=MILLIS}. Off unless a file of users is configured. Any thread.
 *
 * <p>What the code of 2009 lacked: the comparison takes the same time whatever is wrong; a timestamp may be neither old
 * nor ahead of our clock, so that one from far in the future no longer locks its user out; timestamps grow strictly for
 * each user, over reloads of the file and, for changes, over restarts and fail-overs; users who are gone are gone. What
 * cannot be mended without another recipe: method, host and body are not signed. So it is good for one path only, and
 * bodies are ignored there.
 */
public final class LegacyVerifier {
    private static final Pattern ENDING = Pattern.compile("(?:^|.*&)user=([^&=]{1,128})&timestamp=([0-9]{1,15})");
    private static final byte[] NO_SECRET = new byte[1];

    private final RequestVerifier.Profile profile;
    private final LegacyUsers users;
    private final Nonces nonces;
    private final RateLimits limits;
    private final Map<String, Long> lastTimestamps = new HashMap<>();

    /**
     * A request by somebody in the file.
     *
     * @param user their name
     * @param role what the file says they are
     * @param marks to be stored in the same transaction as the change that it asks for
     */
    public record Proof(String user, Role role, String timestamp, List<MarketRecord> marks) {}

    public LegacyVerifier(
            RequestVerifier.Profile profile, LegacyUsers users, Map<String, MarketRecord> marks, RateLimits limits) {
        this.profile = profile;
        this.users = users;
        this.nonces = new Nonces(profile.pastMillis() + profile.aheadMillis(), marks);
        this.limits = limits;
    }

    /** Whether a query claims to be signed so. */
    public static boolean isSigned(@Nullable String query, @Nullable String authorization) {
        return query != null
                && authorization != null
                && authorization.indexOf(' ') < 0
                && ENDING.matcher(query).matches();
    }

    /** @throws RefusedException if the request must not be carried out */
    public Proof verify(
            String query, String authorization, boolean changes, String address, long nowMillis, long nowNanos)
            throws RefusedException {
        limits.beforeProof(address, nowNanos);
        LegacyUsers.User user;
        Matcher ending = ENDING.matcher(query);
        try {
            user = proven(query, authorization, ending, nowMillis);
        } catch (RefusedException e) {
            limits.failure(address, nowNanos);
            throw e;
        }
        limits.proven("legacy " + user.name(), nowNanos);
        String timestamp = ending.group(2);
        return new Proof(
                user.name(),
                user.role(),
                timestamp,
                takeOnce(user.name(), Long.parseLong(timestamp), changes, nowMillis));
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
                    "wrong-signature", "the signature is not right for its user, or there is no such user");
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
                    "the request was signed before this ResourceManager took over, or might have been; sign one again"
                            + " with a timestamp after " + notBefore);
        }
        if (lastTimestamps.getOrDefault(user, Long.MIN_VALUE) >= timestamp) {
            throw RefusedException.unauthenticated(
                    "replayed", "a request of " + user + " with this timestamp or a later one came before");
        }
        List<MarketRecord> marks =
                nonces.take("legacy:" + user, Long.toString(timestamp), timestamp / 1_000, changes, nowMillis / 1_000);
        lastTimestamps.put(user, timestamp);
        return marks;
    }
}
