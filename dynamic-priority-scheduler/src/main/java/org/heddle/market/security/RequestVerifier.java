// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** The code of a refusal: the caller signs the same read again in a few seconds. */
    public static final String BEFORE_TAKEOVER = "signed-before-takeover";

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

    /** A request whose head has been verified. */
    public static final class Admitted {
        private final ApiKey key;
        private final SignedInput input;
        private final @Nullable String digest;
        private final String address;

        private Admitted(ApiKey key, SignedInput input, @Nullable String digest, String address) {
            this.key = key;
            this.input = input;
            this.digest = digest;
            this.address = address;
        }

        /** The key of the signature. */
        public ApiKey key() {
            return key;
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
        this.nonces = new Nonces(profile.lifeMillis(), marks);
        this.limits = limits;
    }

    /** Whether a request has a signature. */
    public static boolean isSigned(RequestParts request) {
        return request.field(SignedInput.INPUT_FIELD) != null || request.field(SignedInput.SIGNATURE_FIELD) != null;
    }

    /**
     * Verifies all that the head of a request tells: the signature covers the digest of the body, so the holder of the
     * key is known before a byte of the body is read. {@link #accept} does the rest.
     *
     * @param hasBody whether the request has a body
     * @param address of the client
     * @throws RefusedException if the request must not be executed
     */
    public Admitted admit(RequestParts head, boolean hasBody, String address, long nowMillis, long nowNanos)
            throws RefusedException {
        String keyId = keyId(head);
        limits.beforeProof(address, keyId, nowNanos);
        Admitted admitted;
        try {
            SignedInput input = SignedInput.find(head);
            ApiKey key = proven(head, hasBody, input, nowMillis);
            admitted = new Admitted(key, input, head.field(ContentDigest.FIELD), address);
        } catch (RefusedException e) {
            throw limits.failure(address, keyId, e, nowNanos);
        }
        limits.proven(admitted.key().id(), nowNanos);
        return admitted;
    }

    /**
     * Accepts an admitted request with its body, once. The body may have taken a while, so time and key are checked
     * again.
     *
     * @param body empty if there is none
     * @param changes whether it is a change
     * @throws RefusedException if it must not be executed
     */
    public Proof accept(Admitted admitted, byte[] body, boolean changes, long nowMillis, long nowNanos)
            throws RefusedException {
        SignedInput input = admitted.input;
        ApiKey key;
        try {
            checkTimes(input, nowMillis);
            key = live(keys.find(admitted.key.id()), nowMillis);
            if (admitted.digest != null) {
                ContentDigest.check(admitted.digest, body);
            }
        } catch (RefusedException e) {
            throw limits.failure(admitted.address, admitted.key.id(), e, nowNanos);
        }
        keys.used(key, nowMillis);
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

    private ApiKey proven(RequestParts request, boolean hasBody, SignedInput input, long nowMillis)
            throws RefusedException {
        checkCovered(request, hasBody, input);
        checkCluster(request);
        checkTimes(input, nowMillis);
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
        return live(secret == null || !same ? null : key, nowMillis);
    }

    /** @param key null if the signature is not of a known key */
    private static ApiKey live(@Nullable ApiKey key, long nowMillis) throws RefusedException {
        if (key == null) {
            // One sentence for all cases, so that a client cannot find out which keys exist.
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

    private void checkCovered(RequestParts request, boolean hasBody, SignedInput input) throws RefusedException {
        Set<String> covered = input.components();
        for (String component : ALWAYS) {
            demand(covered, component);
        }
        if (hasBody) {
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

    private List<MarketRecord> takeOnce(SignedInput input, ApiKey key, boolean changes, long nowMillis)
            throws RefusedException {
        long created = created(input);
        long notBefore;
        if (changes) {
            notBefore = profile.startedMillis() / SECOND;
        } else {
            notBefore = (profile.startedMillis() + profile.aheadMillis()) / SECOND + 1;
        }
        if (created < notBefore) {
            throw RefusedException.unauthenticated(
                    BEFORE_TAKEOVER,
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
