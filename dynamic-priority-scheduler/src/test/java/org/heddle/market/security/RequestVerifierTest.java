// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.heddle.market.security.Signing.AHEAD;
import static org.heddle.market.security.Signing.NOW;
import static org.heddle.market.security.Signing.PAST;
import static org.heddle.market.security.Signing.field;
import static org.heddle.market.security.Signing.get;
import static org.heddle.market.security.Signing.put;
import static org.heddle.market.security.Signing.withField;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is taken, and a corpus of what must not be: replayed, reordered, cut off, skewed, sent elsewhere. */
class RequestVerifierTest {
    private static final String RATE = "/heddle/market/v1/accounts/alice/rate";

    private final Signing signing = new Signing();
    private RequestSigner alice;

    @BeforeEach
    void aKey() throws Exception {
        alice = signing.signer(signing.issue("alice", Role.USER));
    }

    private String code(RequestParts request, long atMillis) {
        RefusedException refusal =
                catchThrowableOfType(RefusedException.class, () -> signing.accept(request, atMillis));
        return refusal == null ? "taken" : refusal.code();
    }

    @Test
    void whatTheOwnerSignedIsTakenOnce() throws Exception {
        RequestParts read = signing.signed(alice, get("/heddle/market/v1/accounts?state=paying"), NOW);
        RequestParts change = signing.signed(alice, put(RATE, "{\"rate\":\"2\"}"), NOW);

        assertThat(signing.accept(read, NOW).id()).isEqualTo("alice/1");
        assertThat(signing.accept(change, NOW + 500).id()).isEqualTo("alice/1");
        assertThat(code(read, NOW)).isEqualTo("replayed");
        assertThat(code(change, NOW + 1_000)).isEqualTo("replayed");
    }

    @Test
    void theHostDoesNotMatterSoThatAStandbyMaySendClientsOn() throws Exception {
        RequestParts signed = signing.signed(alice, get("/heddle/market/v1/accounts"), NOW);

        RequestParts elsewhere = new RequestParts(
                "GET", "https", "rm2.example.org", signed.path(), signed.query(), signed.fields(), signed.body());

        assertThat(code(elsewhere, NOW)).isEqualTo("taken");
    }

    @Test
    void clocksMayDifferALittle() throws Exception {
        for (long skew : new long[] {-PAST, -PAST + 1_000, -1_000, 0, 1_000, AHEAD}) {
            assertThat(code(signing.signed(alice, get("/x"), NOW + skew), NOW))
                    .as("%s ms", skew)
                    .isEqualTo("taken");
        }
        assertThat(code(signing.signed(alice, get("/x"), NOW - PAST - 1_000), NOW))
                .isEqualTo("too-old");
        assertThat(code(signing.signed(alice, get("/x"), NOW + AHEAD + 1_000), NOW))
                .isEqualTo("in-the-future");
        assertThat(code(signing.signed(alice, get("/x"), NOW + 86_400_000), NOW))
                .isEqualTo("in-the-future");
        assertThat(code(signing.signed(alice, get("/x"), NOW), NOW)).isEqualTo("taken");
    }

    @Test
    void afterAFailOverNothingIsTakenThatTheFormerLeaderMayHaveTaken() throws Exception {
        List<RequestParts> taken = new ArrayList<>();
        for (long created = NOW - 20_000; created <= NOW + AHEAD; created += 1_000) {
            taken.add(signing.signed(alice, get("/heddle/market/v1/accounts"), created));
            taken.add(signing.signed(alice, put(RATE, "{\"rate\":\"2\"}"), created));
        }
        taken.forEach(request -> assertThat(code(request, NOW)).isEqualTo("taken"));

        // The new leader's clock is the whole allowance behind.
        signing.failOver(NOW);

        Set<String> refused = new TreeSet<>();
        taken.forEach(request -> refused.add(code(request, NOW + 3_000)));
        assertThat(refused).containsExactly("replayed", "signed-before-takeover");
        assertThat(code(signing.signed(alice, put(RATE, "{\"rate\":\"3\"}"), NOW + AHEAD), NOW + AHEAD))
                .isEqualTo("taken");
        assertThat(code(signing.signed(alice, get("/x"), NOW + AHEAD + 1_000), NOW + AHEAD + 1_000))
                .isEqualTo("taken");
    }

    /**
     * The clock is an hour ahead for a while, also the client's, and what is older is forgotten; then it is set back.
     */
    @Test
    void aStepOfTheClockMakesNoRequestValidTwice() throws Exception {
        long hour = 3_600_000;
        RequestParts read = signing.signed(alice, get("/x"), NOW);
        RequestParts change = signing.signed(alice, put(RATE, "{\"rate\":\"2\"}"), NOW);
        assertThat(code(read, NOW)).isEqualTo("taken");
        assertThat(code(change, NOW)).isEqualTo("taken");
        assertThat(code(signing.signed(alice, put(RATE, "{\"rate\":\"3\"}"), NOW + hour), NOW + hour))
                .isEqualTo("taken");
        assertThat(signing.marks)
                .as("the mark of the later one, and how far is forgotten")
                .hasSize(2);

        assertThat(code(read, NOW + 2_000)).isEqualTo("replayed");
        assertThat(code(change, NOW + 2_000)).isEqualTo("replayed");
        assertThat(code(signing.signed(alice, get("/x"), NOW + 2_000), NOW + 2_000))
                .as("what is signed now is not hurt")
                .isEqualTo("taken");

        signing.failOver(NOW - hour); // the next leader's clock is behind
        assertThat(code(change, NOW + 3_000)).isEqualTo("replayed");
        assertThat(code(signing.signed(alice, put(RATE, "{\"rate\":\"4\"}"), NOW + 3_000), NOW + 3_000))
                .isEqualTo("taken");
    }

    @Test
    void revokedAndEndedKeysAreNoGoodEvenAfterAReload() throws Exception {
        KeyRing.Issued old = signing.issue("bob", Role.USER);
        RequestSigner bob = signing.signer(old);
        assertThat(code(signing.signed(bob, get("/x"), NOW), NOW)).isEqualTo("taken");

        KeyRing.Issued fresh = signing.keys.rotate("bob/1", 30_000, Signing.SETUP, NOW);
        assertThat(code(signing.signed(bob, get("/x"), NOW), NOW + 29_000)).isEqualTo("taken");
        assertThat(code(signing.signed(bob, get("/x"), NOW + 20_000), NOW + 30_000))
                .isEqualTo("key-ended");
        RequestSigner freshBob = signing.signer(fresh);
        assertThat(code(signing.signed(freshBob, get("/x"), NOW), NOW)).isEqualTo("taken");

        RequestParts signedBefore = signing.signed(freshBob, get("/x"), NOW);
        signing.keys.revoke("bob/2", Signing.SETUP, NOW);
        assertThat(code(signedBefore, NOW)).isEqualTo("key-ended");
        signing.failOver(NOW - 60_000);
        assertThat(code(signedBefore, NOW)).isEqualTo("key-ended");
        assertThat(code(signing.signed(bob, get("/x"), NOW + 31_000), NOW + 31_000))
                .isEqualTo("key-ended");
    }

    /** Every way to bend a good request by hand that we could think of. */
    @Test
    void nothingThatWasBentIsTaken() throws Exception {
        List<RequestParts> bent = new ArrayList<>();
        RequestParts read = signing.signed(alice, get("/scheduler?info=alice"), NOW);
        RequestParts change = signing.signed(alice, put(RATE, "{\"rate\":\"2\"}"), NOW);
        // Sent elsewhere.
        for (String path : List.of("/heddle/market/v1/accounts/bob/rate", RATE + "/", "/x" + RATE, "//" + RATE, "")) {
            bent.add(new RequestParts("PUT", "http", "h", path, null, change.fields(), change.body()));
        }
        for (String query :
                new String[] {"info=bob", "infos", "info=alice&x=1", "x=1&info=alice", "info=alice&", "", null}) {
            bent.add(new RequestParts("GET", "http", "h", "/scheduler", query, read.fields(), read.body()));
        }
        for (String method : List.of("GET", "POST", "DELETE", "put")) {
            bent.add(new RequestParts(method, "http", "h", RATE, null, change.fields(), change.body()));
        }
        // The body changed, cut off, or taken away.
        for (String body : List.of("{\"rate\":\"9\"}", "{\"rate\":\"2\"", "{\"rate\":\"2\"} ", "")) {
            bent.add(new RequestParts(
                    "PUT", "http", "h", RATE, null, change.fields(), body.getBytes(StandardCharsets.UTF_8)));
        }
        bent.add(withField(read, "content-type", "text/plain"));
        bent.set(
                bent.size() - 1,
                new RequestParts(
                        "GET",
                        "http",
                        "h",
                        read.path(),
                        read.query(),
                        read.fields(),
                        "x".getBytes(StandardCharsets.UTF_8)));
        // Fields taken from another request, doubled, reordered, emptied.
        RequestParts other = signing.signed(alice, put(RATE, "{\"rate\":\"7\"}"), NOW);
        for (String field : List.of("signature", "signature-input", "content-digest")) {
            bent.add(withField(change, field, field(other, field)));
            bent.add(withField(change, field, ""));
            String value = field(change, field);
            bent.add(withField(change, field, value.substring(0, value.length() / 2)));
            bent.add(withField(change, field, value + "=" + value));
            bent.add(withField(change, field, value, "x" + field(other, field)));
        }
        bent.add(withField(change, "heddle-cluster", "pine"));
        bent.add(withField(change, "heddle-cluster", Signing.CLUSTER, Signing.CLUSTER));
        bent.add(withField(change, "content-type", "text/xml"));
        bent.add(withField(change, "idempotency-key", "again"));
        String input = field(change, "signature-input");
        for (String[] edit : new String[][] {
            {"\"@method\" \"@path\"", "\"@path\" \"@method\""},
            {"\"@method\" ", ""},
            {" \"@query\"", ""},
            {" \"heddle-cluster\"", ""},
            {" \"content-digest\"", ""},
            {" \"content-type\"", ""},
            {"\"@method\"", "\"@method\" \"@method\""},
            {"\"@method\"", "\"@METHOD\""},
            {"\"@method\"", "\"@method\";req"},
            {"\"@method\"", "@method"},
            {";nonce=", ";nounce="},
            {";keyid=\"alice/1\"", ";keyid=\"alice/2\""},
            {";keyid=\"alice/1\"", ";keyid=\"\""},
            {";keyid=\"alice/1\"", ";keyid=alice/1"},
            {";keyid=\"alice/1\"", ""},
            {";created=" + NOW / 1_000, ";created=" + (NOW / 1_000 + 1)},
            {";created=" + NOW / 1_000, ";created=\"" + NOW / 1_000 + "\""},
            {";created=" + NOW / 1_000, ";created=" + NOW / 1_000 + ".0"},
            {";created=" + NOW / 1_000, ""},
            {"hmac-sha256", "none"},
            {"hmac-sha256", "hmac-sha1"},
            {";alg=\"hmac-sha256\"", ""},
            {"heddle-market", "heddle"},
            {";tag=\"heddle-market\"", ""},
            {"heddle=(", "heddle2=("},
            {";created", ";expires=" + (NOW / 1_000 - 1) + ";created"},
        }) {
            assertThat(input).contains(edit[0]);
            bent.add(withField(change, "signature-input", input.replace(edit[0], edit[1])));
        }
        assertThat(bent).hasSizeGreaterThan(60);

        for (RequestParts request : bent) {
            assertThat(code(request, NOW))
                    .as("%s %s", request, request.fields())
                    .isNotEqualTo("taken");
        }
        assertThat(code(change, NOW))
                .as("what was bent has not used up the real one")
                .isEqualTo("taken");
        assertThat(code(read, NOW)).isEqualTo("taken");
    }

    /** One byte changed, left out or put in, anywhere in what is covered or in the signature. */
    @Test
    void noSingleByteCanBeChanged() throws Exception {
        Random random = new Random(20_261_121);
        RequestParts good = signing.signed(alice, put(RATE, "{\"rate\":\"2\"}"), NOW);
        for (int i = 0; i < 20_000; i++) {
            RequestParts bent = bend(good, random);
            assertThat(code(bent, NOW)).as("%s %s", bent, bent.fields()).isNotEqualTo("taken");
        }
    }

    private static RequestParts bend(RequestParts good, Random random) {
        int part = random.nextInt(6);
        return switch (part) {
            case 0 ->
                new RequestParts(
                        good.method(), "http", "h", other(good.path(), random), null, good.fields(), good.body());
            case 1 ->
                new RequestParts(
                        good.method(),
                        "http",
                        "h",
                        good.path(),
                        null,
                        good.fields(),
                        other(new String(good.body(), StandardCharsets.ISO_8859_1), random)
                                .getBytes(StandardCharsets.ISO_8859_1));
            case 2 ->
                new RequestParts(
                        other(good.method(), random), "http", "h", good.path(), null, good.fields(), good.body());
            default -> {
                String field = List.of("signature", "signature-input", "content-digest")
                        .get(part - 3);
                String value = field(good, field);
                yield withField(good, field, significant(value, random));
            }
        };
    }

    /** Changes that leave a structured field's meaning alone are not wanted here. */
    private static String significant(String value, Random random) {
        while (true) {
            String other = other(value, random);
            if (!meaning(other).equals(meaning(value)) && !other.startsWith(" ") && !other.endsWith(" ")) {
                return other;
            }
        }
    }

    private static String meaning(String value) {
        // The label is no part of what is signed, white space between members none either, and the last bits of base64
        // may be free.
        return value.replaceAll("[ \\t]", "")
                .replaceAll("^[a-z*][a-z0-9_.*-]*=", "")
                .replaceAll(".=?:$", "");
    }

    private static String other(String value, Random random) {
        int at = random.nextInt(value.length());
        char c = (char) (random.nextInt(95) + 32);
        return switch (random.nextInt(3)) {
            case 0 -> value.charAt(at) == c ? value + c : value.substring(0, at) + c + value.substring(at + 1);
            case 1 -> value.substring(0, at) + c + value.substring(at);
            default -> value.substring(0, at) + value.substring(at + 1);
        };
    }

    @Test
    void keysOfAnotherClusterWithTheSameMasterAreNoGood() throws Exception {
        MasterKeys elsewhere = new MasterKeys("pine", Signing.MASTER, List.of());
        byte[] secret = Signing.secret(elsewhere, signing.stored("alice/1"));
        RequestSigner stranger = new RequestSigner(Signing.CLUSTER, "alice/1", secret, signing.random);

        assertThat(code(signing.signed(stranger, get("/x"), NOW), NOW)).isEqualTo("wrong-signature");
    }

    @Test
    void whoHasTheMasterKeyIsTheOperator() throws Exception {
        ApiKey key = KeyRing.operatorKey(signing.masters);
        RequestSigner operator =
                new RequestSigner(Signing.CLUSTER, key.id(), Signing.secret(signing.masters, key), signing.random);

        ApiKey taken = signing.accept(signing.signed(operator, get("/x"), NOW), NOW);

        assertThat(taken.cap()).isEqualTo(Role.ADMIN);
        assertThat(taken.owner()).isEqualTo(KeyRing.OPERATOR);
    }

    @Test
    void marksAreForgottenWhenTheyAreOfNoUseAnyMore() throws Exception {
        for (int minute = 0; minute < 60; minute++) {
            for (int i = 0; i < 5; i++) {
                long at = NOW + minute * 60_000L + i * 1_000L;
                assertThat(code(signing.signed(alice, put(RATE, "{}"), at), at)).isEqualTo("taken");
            }
        }
        assertThat(signing.marks).hasSizeLessThan(15);
    }

    @Test
    void theMarksOfARevokedKeyGoWithThoseOfTheOthers() throws Exception {
        KeyRing.Issued issued = signing.issue("bob", Role.USER);
        RequestSigner bob = signing.signer(issued);
        for (int i = 0; i < 10; i++) {
            assertThat(code(signing.signed(bob, put(RATE, "{}"), NOW), NOW)).isEqualTo("taken");
        }
        signing.keys.revoke("bob/1", Signing.SETUP, NOW);
        long later = NOW + PAST + AHEAD + 5_000;
        assertThat(code(signing.signed(alice, put(RATE, "{}"), later), later)).isEqualTo("taken");
        assertThat(signing.marks).as("alice's, and how far is forgotten").hasSize(2);
    }
}
