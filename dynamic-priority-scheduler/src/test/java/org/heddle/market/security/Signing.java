// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;

/** A cluster's keys and marks in memory, clients that sign, and verifiers that share the ledger. */
final class Signing {
    static final String CLUSTER = "spruce";
    static final String MASTER = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    static final long NOW = 1_800_000_000_000L;
    static final long PAST = 60_000;
    static final long AHEAD = 10_000;
    static final Mutation SETUP = new Mutation("setup", "test", "setup");

    final Map<String, MarketRecord> marks = new LinkedHashMap<>();
    final Map<String, ApiKey> stored = new LinkedHashMap<>();
    final MasterKeys masters = new MasterKeys(CLUSTER, MASTER, List.of());
    final SecureRandom random = seeded(42);
    KeyRing keys = ring();
    RequestVerifier verifier = verifier(NOW - 600_000);

    static SecureRandom seeded(long seed) {
        try {
            SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(seed);
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    KeyRing ring() {
        return new KeyRing(
                masters,
                new KeyStore() {
                    @Override
                    public List<ApiKey> keys() {
                        return List.copyOf(stored.values());
                    }

                    @Override
                    public void put(ApiKey key, List<String> forgotten, Mutation by, String action) {
                        stored.keySet().removeAll(forgotten);
                        stored.put(key.id(), ApiKey.parse(key.id(), key.content()));
                    }
                },
                random,
                Duration.ofDays(90));
    }

    RequestVerifier verifier(long startedMillis) {
        return new RequestVerifier(
                new RequestVerifier.Profile(CLUSTER, PAST, AHEAD, startedMillis),
                keys,
                marks,
                new RateLimits(new RateLimits.Limits(1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000)));
    }

    /** Another process becomes the leader: the memory is lost, the ledger stays. */
    void failOver(long atMillis) {
        keys = ring();
        verifier = verifier(atMillis);
    }

    KeyRing.Issued issue(String owner, Role cap) throws RefusedException {
        return keys.issue(owner, cap, Long.MAX_VALUE, SETUP, NOW - 3_600_000);
    }

    RequestSigner signer(KeyRing.Issued issued) {
        return new RequestSigner(CLUSTER, issued.key().id(), MasterKeys.bytes(issued.secret()), random);
    }

    static RequestParts get(String path) {
        int question = path.indexOf('?');
        return new RequestParts(
                "GET",
                "http",
                "rm1.example.org:8088",
                question < 0 ? path : path.substring(0, question),
                question < 0 ? null : path.substring(question + 1),
                Map.of("Accept", List.of("application/json")),
                new byte[0]);
    }

    static RequestParts put(String path, String body) {
        return new RequestParts(
                "PUT",
                "http",
                "rm1.example.org:8088",
                path,
                null,
                Map.of("Content-Type", List.of("application/json")),
                body.getBytes(StandardCharsets.UTF_8));
    }

    RequestParts signed(RequestSigner signer, RequestParts request, long atMillis) throws RefusedException {
        return request.with(signer.sign(request, atMillis / 1_000));
    }

    /** Stores the records of a change in the ledger, as a market does. */
    ApiKey accept(RequestParts request, long atMillis) throws RefusedException {
        boolean changes = !request.method().equals("GET");
        RequestVerifier.Proof proof = verify(verifier, request, changes, "192.0.2.7", atMillis, atMillis * 1_000_000);
        for (MarketRecord mark : proof.marks()) {
            if (mark.isRemoval()) {
                marks.remove(mark.id());
            } else {
                marks.put(mark.id(), mark);
            }
        }
        return proof.key();
    }

    /** Verifies head and body. */
    static RequestVerifier.Proof verify(
            RequestVerifier verifier,
            RequestParts request,
            boolean changes,
            String address,
            long nowMillis,
            long nowNanos)
            throws RefusedException {
        RequestVerifier.Admitted admitted =
                verifier.admit(request, request.body().length > 0, address, nowMillis, nowNanos);
        return verifier.accept(admitted, request.body(), changes, nowMillis, nowNanos);
    }

    static RequestParts withField(RequestParts request, String name, String... values) {
        Map<String, List<String>> fields = new HashMap<>(request.fields());
        fields.put(name, new ArrayList<>(List.of(values)));
        return new RequestParts(
                request.method(),
                request.scheme(),
                request.authority(),
                request.path(),
                request.query(),
                fields,
                request.body());
    }

    static String field(RequestParts request, String name) {
        return Objects.requireNonNull(request.field(name));
    }

    static byte[] secret(MasterKeys masters, ApiKey key) {
        return Objects.requireNonNull(masters.secret(key));
    }

    ApiKey stored(String id) {
        return Objects.requireNonNull(stored.get(id));
    }
}
