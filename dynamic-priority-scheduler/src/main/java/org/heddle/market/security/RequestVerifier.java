// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a signed request (RFC 9421, hmac-sha256): the owner of the key signed it, it is for this cluster, complete
 * and fresh, and comes for the first time. Thread-safe.
 *
 * <p>The signature must cover {@code @method}, {@code @path}, {@code @query}, the field {@code heddle-cluster}; with a
 * body also {@code content-digest} and {@code content-type}; and {@code idempotency-key} if it is there. Required
 * parameters: {@code created}, {@code nonce}, {@code keyid}, {@code tag="heddle-market"}. The host is not covered, so
 * that a standby may redirect the client to the active ResourceManager; the cluster's id is.
 *
 * <p><b>Replays.</b> A nonce is valid once. The process remembers the nonces of reads; for a while after it became
 * active it refuses all signatures that could be older than that. A change has a {@link Proof} with a mark that is
 * stored in the same transaction, so that the change cannot happen twice, even after a crash or a failover, and however
 * the clock was set meanwhile. The order of
 * changes that replace a value is checked later, by {@link ChangeOrder}.
 */
public final class RequestVerifier {
    public static final String CLUSTER_FIELD = "heddle-cluster";
    public static final String IDEMPOTENCY_FIELD = "idempotency-key";
    static final String ALGORITHM = "hmac-sha256";

    /** Kind of the mark records. */
    public static final String MARKS = Nonces.KIND;

    private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]{16,64}");
    private static final Set<String> ALWAYS = Set.of("@method", "@path", "@query", CLUSTER_FIELD);
    private static final byte[] NO_SECRET = new byte[MasterKeys.BYTES];
    private static final long SECOND = 1_000;

    private final Profile profile;
    private final KeyRing keys;
    private final Nonces nonces;
    private final RateLimits limits;

    /**
     * The requirements for signatures.
     *
     * @param clusterId of this cluster
     * @param pastMillis limit of the age of a signature
     * @param aheadMillis limit of the difference by which the signer's clock may be ahead; also limit of the difference
     *     between the clocks of two ResourceManagers
     * @param startedMillis time when this process became active, wall clock
     */
    public record Profile(String clusterId, long pastMillis, long aheadMillis, long startedMillis) {
        /** Time after {@code created} for which a signature may be accepted. */
        public long lifeMillis() {
            return pastMillis + aheadMillis;
        }
    }

    /**
     * A verified request.
     *
     * @param key of the signature
     * @param nonce of the signature
     * @param createdSeconds of the signature, seconds since 1970
     * @param marks to be stored in the same transaction as the change
     */
    public record Proof(ApiKey key, String nonce, long createdSeconds, List<MarketRecord> marks) {}

    /** @param marks the stored ones, by {@link #MARKS} */
    public RequestVerifier(Profile profile, KeyRing keys, Map<String, MarketRecord> marks, RateLimits limits) {
        this.profile = profile;
        this.keys = keys;
        Map<String, MarketRecord> own = new TreeMap<>(marks);
        // Marks with a colon belong to the signatures of 2009: no id of an API key has one.
        own.keySet().removeIf(id -> id.indexOf(':') >= 0);
        this.nonces = new Nonces(profile.lifeMillis(), "", own);
        this.limits = limits;
    }

    /** Whether a request has a signature. */
    public static boolean isSigned(RequestParts request) {
        return request.field(SignedInput.INPUT_FIELD) != null || request.field(SignedInput.SIGNATURE_FIELD) != null;
    }

    /**
     * Verifies a request.
     *
     * @param changes whether it is a change
     * @param address of the client
     * @throws RefusedException if it must not be executed
     */
    public Proof verify(RequestParts request, boolean changes, String address, long nowMillis, long nowNanos)
            throws RefusedException {
        String keyId = keyId(request);
        limits.beforeProof(address, keyId, nowNanos);
        ApiKey key;
        try {
            key = proven(request, nowMillis);
        } catch (RefusedException e) {
            throw limits.failure(address, keyId, e, nowNanos);
        }
        limits.proven(key.id(), nowNanos);
        keys.used(key, nowMillis);
        SignedInput input = SignedInput.find(request);
        return new Proof(key, nonce(input), created(input), takeOnce(input, key, changes, nowMillis));
    }

    /** The key id that a request names, not verified; empty if it names none. */
    private static String keyId(RequestParts request) {
        try {
            String keyId = SignedInput.find(request).text("keyid");
            return keyId == null ? "" : keyId;
        } catch (RefusedException e) {
            return "";
        }
    }

    private ApiKey proven(RequestParts request, long nowMillis) throws RefusedException {
        SignedInput input = SignedInput.find(request);
        checkCovered(request, input);
        checkCluster(request);
        checkTimes(input, nowMillis);
        checkBody(request);
        String algorithm = input.text("alg");
        if (algorithm != null && !algorithm.equals(ALGORITHM)) {
            throw RefusedException.badRequest("the signature's alg is not " + ALGORITHM + "; use that");
        }
        nonce(input);
        String keyId = required(input, "keyid");
        ApiKey key = keys.find(keyId);
        byte[] secret = key == null ? null : keys.secret(key);
        byte[] expected = Hashes.hmacSha256(
                secret == null ? NO_SECRET : secret,
                SignatureBase.of(request, input.covered()).getBytes(StandardCharsets.US_ASCII));
        boolean same = MessageDigest.isEqual(expected, input.signature());
        if (key == null || secret == null || !same) {
            // One sentence for all three cases, so that a client cannot find out which keys exist.
            throw RefusedException.unauthenticated(
                    "wrong-signature", "the signature is wrong, or its key does not exist");
        }
        if (!key.isLive(nowMillis)) {
            throw RefusedException.unauthenticated(
                    "key-ended",
                    "the key " + key.id() + (key.revokedMillis() != 0 ? " was revoked" : " has expired")
                            + "; use another one");
        }
        return key;
    }

    private void checkCovered(RequestParts request, SignedInput input) throws RefusedException {
        Set<String> covered = input.components();
        for (String component : ALWAYS) {
            demand(covered, component);
        }
        if (request.body().length > 0) {
            demand(covered, ContentDigest.FIELD);
            demand(covered, "content-type");
        }
        for (String field : Set.of(ContentDigest.FIELD, IDEMPOTENCY_FIELD)) {
            if (request.field(field) != null) {
                demand(covered, field);
            }
        }
    }

    private static void demand(Set<String> covered, String component) throws RefusedException {
        if (!covered.contains(component)) {
            throw RefusedException.unauthenticated(
                    "not-covered", "the signature does not cover '" + component + "'; add it");
        }
    }

    private void checkCluster(RequestParts request) throws RefusedException {
        if (!profile.clusterId().equals(request.field(CLUSTER_FIELD))) {
            throw RefusedException.unauthenticated(
                    "wrong-cluster",
                    "the request is signed for another cluster; this one is '" + profile.clusterId() + "'");
        }
    }

    private void checkTimes(SignedInput input, long nowMillis) throws RefusedException {
        long created = created(input);
        long now = nowMillis / SECOND;
        if (created < now - profile.pastMillis() / SECOND) {
            throw RefusedException.unauthenticated(
                    "too-old",
                    "the request was signed more than " + profile.pastMillis() / SECOND + " s ago; it is "
                            + Instant.ofEpochSecond(now) + " here: set your clock or sign again");
        }
        if (created > now + profile.aheadMillis() / SECOND) {
            throw RefusedException.unauthenticated(
                    "in-the-future",
                    "the request was signed in the future; it is " + Instant.ofEpochSecond(now)
                            + " here: set your clock");
        }
        Long expires = input.seconds("expires");
        if (expires != null && expires <= now) {
            throw RefusedException.unauthenticated("too-old", "the signature has expired; sign again");
        }
    }

    private static void checkBody(RequestParts request) throws RefusedException {
        String digest = request.field(ContentDigest.FIELD);
        if (digest != null) {
            ContentDigest.check(digest, request.body());
        }
    }

    private List<MarketRecord> takeOnce(SignedInput input, ApiKey key, boolean changes, long nowMillis)
            throws RefusedException {
        long created = created(input);
        long notBefore = changes
                ? profile.startedMillis() / SECOND
                : (profile.startedMillis() + profile.aheadMillis()) / SECOND + 1;
        if (created < notBefore) {
            throw RefusedException.unauthenticated(
                    "signed-before-takeover",
                    "the request may have been signed before this ResourceManager became active;"
                            + " sign it again after " + Instant.ofEpochSecond(notBefore));
        }
        return nonces.take(key.id(), nonce(input), created, changes, nowMillis / SECOND);
    }

    private static long created(SignedInput input) throws RefusedException {
        Long created = input.seconds("created");
        if (created == null) {
            throw missing("created");
        }
        return created;
    }

    private static String nonce(SignedInput input) throws RefusedException {
        String nonce = required(input, "nonce");
        if (!NONCE.matcher(nonce).matches()) {
            throw RefusedException.badRequest(
                    "the signature's nonce must be 16 to 64 characters out of A-Z a-z 0-9 _ -");
        }
        return nonce;
    }

    private static String required(SignedInput input, String parameter) throws RefusedException {
        @Nullable String text = input.text(parameter);
        if (text == null) {
            throw missing(parameter);
        }
        return text;
    }

    private static RefusedException missing(String parameter) {
        return RefusedException.unauthenticated(
                "not-covered", "the signature has no parameter " + parameter + "; add it");
    }
}
