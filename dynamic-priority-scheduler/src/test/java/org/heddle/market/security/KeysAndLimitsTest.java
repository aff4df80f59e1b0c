// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.heddle.market.security.Signing.NOW;
import static org.heddle.market.security.Signing.get;

import java.util.List;
import org.heddle.market.security.RateLimits.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysAndLimitsTest {
    private static final long SECOND = 1_000_000_000L;
    private final Signing signing = new Signing();

    @Test
    void numbersAreNeverUsedTwiceAndSecretsDiffer() throws Exception {
        KeyRing.Issued one = signing.issue("alice", Role.USER);
        signing.keys.revoke(one.key().id(), Signing.SETUP, NOW);
        signing.failOver(NOW);
        KeyRing.Issued two = signing.issue("alice", Role.VIEWER);

        assertThat(two.key().id()).isEqualTo("alice/2");
        assertThat(two.secret()).hasSize(43).isNotEqualTo(one.secret());
        assertThat(signing.keys.list("alice")).extracting(ApiKey::cap).containsExactly(Role.USER, Role.VIEWER);
        assertThat(signing.keys.list("bob")).isEmpty();
    }

    @Test
    void theBooksHoldNoSecret() throws Exception {
        KeyRing.Issued issued = signing.issue("alice", Role.USER);

        assertThat(signing.stored("alice/1").content()).doesNotContain(issued.secret());
        assertThat(ApiKey.parse("alice/1", issued.key().content())).isEqualTo(issued.key());
    }

    @Test
    void nobodyHasMoreThanAFewGoodKeys() throws Exception {
        for (int i = 0; i < KeyRing.LIVE_KEYS; i++) {
            signing.issue("alice", Role.USER);
        }
        assertThatThrownBy(() -> signing.issue("alice", Role.USER))
                .isInstanceOf(RefusedException.class)
                .hasMessage("alice has 5 valid keys already; revoke one first");
        signing.keys.revoke("alice/3", Signing.SETUP, NOW);
        assertThat(signing.issue("alice", Role.USER).key().number()).isEqualTo(6);
    }

    @Test
    void aNewMasterKeyLeavesOldKeysGoodWhileTheFormerIsKnown() throws Exception {
        KeyRing.Issued old = signing.issue("alice", Role.USER);
        String fresh = "_______________________________________________";
        MasterKeys both = new MasterKeys(Signing.CLUSTER, fresh, List.of(Signing.MASTER));
        MasterKeys freshOnly = new MasterKeys(Signing.CLUSTER, fresh, List.of());

        assertThat(MasterKeys.text(Signing.secret(both, old.key()))).isEqualTo(old.secret());
        assertThat(freshOnly.secret(old.key())).isNull();
        assertThat(both.presentId()).isNotEqualTo(old.key().master());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-alice", "al ice", "alice/1", "älice", "heddle.operator", "a\nb"})
    void someNamesCannotHaveKeys(String owner) {
        assertThatThrownBy(() -> signing.issue(owner, Role.USER))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("cannot have keys");
    }

    @ParameterizedTest
    @CsvSource({
        "alice/1, 2 user s m 1 2 0, 'the key alice/1 has the format ''2'', which is unknown to this version'",
        "alice/1, 1 user s m 1 2, the record of the key alice/1 is damaged",
        "alice/1, 1 king s m 1 2 0, the record of the key alice/1 is damaged",
        "alice, 1 user s m 1 2 0, the record of the key alice is damaged",
    })
    void damagedRecordsAreNamed(String id, String content, String message) {
        assertThatThrownBy(() -> ApiKey.parse(id, content))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({"c2hvcnQ=, has 5 bytes", "'not base64!', is not base64"})
    void badMasterKeysAreRefusedWithoutBeingShown(String text, String message) {
        assertThatThrownBy(() -> new MasterKeys("c", text, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining(text);
    }

    @Test
    void anAddressMayComeSoOftenAndThenHasToWait() throws Exception {
        RateLimits limits = new RateLimits(new Limits(10, 10, 10, 10, 10));
        for (int i = 0; i < 20; i++) {
            assertThat(limits.arrival("192.0.2.1", 0)).isZero();
        }
        long wait = limits.arrival("192.0.2.1", 0);
        assertThatThrownBy(() -> RateLimits.checkArrival("192.0.2.1", wait))
                .isInstanceOfSatisfying(RefusedException.class, refusal -> {
                    assertThat(refusal.kind().status()).isEqualTo(429);
                    assertThat(refusal.retryAfterMillis()).isEqualTo(100);
                });
        assertThat(limits.arrival("192.0.2.2", 0)).isZero();
        assertThat(limits.arrival("192.0.2.1", SECOND / 10)).isZero();
    }

    @Test
    void addressesOfOneSiteCountTogether() {
        assertThat(RateLimits.site("2001:db8::1")).isEqualTo(RateLimits.site("2001:db8::ffff:2"));
        assertThat(RateLimits.site("2001:db8::1")).isNotEqualTo(RateLimits.site("2001:db9::1"));
        assertThat(RateLimits.site("192.0.2.1")).isEqualTo("192.0.2.1");
    }

    /** A proxy or an edge node has one address for good and bad clients. */
    @Test
    void wrongSignaturesFromAnAddressKeepNoGoodRequestOut() throws Exception {
        RequestSigner alice = signing.signer(signing.issue("alice", Role.USER));
        RequestSigner bob = signing.signer(signing.issue("bob", Role.USER));
        RequestVerifier verifier = new RequestVerifier(
                new RequestVerifier.Profile(Signing.CLUSTER, 60_000, 10_000, 0),
                signing.keys,
                signing.marks,
                new RateLimits(new Limits(1_000, 3, 2, 10, 10)));
        int wrong = 0;
        int stopped = 0;
        for (String forged : List.of("alice/1", "carol/1")) {
            RequestSigner thief = new RequestSigner(Signing.CLUSTER, forged, new byte[32], signing.random);
            for (int i = 0; i < 100; i++) {
                try {
                    Signing.verify(verifier, signing.signed(thief, get("/x"), NOW), false, "192.0.2.66", NOW, SECOND);
                } catch (RefusedException e) {
                    wrong += e.code().equals("wrong-signature") ? 1 : 0;
                    stopped += e.code().equals("too-many-requests") ? 1 : 0;
                }
            }
        }
        assertThat(wrong).isEqualTo(16);
        assertThat(stopped).isEqualTo(184);

        for (int i = 0; i < 6; i++) {
            Signing.verify(verifier, signing.signed(alice, get("/x"), NOW), false, "192.0.2.66", NOW, SECOND);
            Signing.verify(verifier, signing.signed(bob, get("/x"), NOW), false, "192.0.2.66", NOW, SECOND);
        }
        assertThatThrownBy(() -> Signing.verify(
                        verifier, signing.signed(alice, get("/x"), NOW), false, "192.0.2.1", NOW, SECOND))
                .hasMessage("too many requests with the key alice/1; slow down");
    }

    @Test
    void anAccountAndAnOwnerMayChangeSoMuchADay() throws Exception {
        RateLimits limits = new RateLimits(new Limits(10, 10, 10, 24, 2));
        for (int i = 0; i < 24; i++) {
            limits.change("alice", 0);
        }
        assertThatThrownBy(() -> limits.change("alice", 0))
                .hasMessage("account alice was changed too often today; the next change is possible in 3600 s");
        limits.change("bob", 0);
        limits.change("alice", 3_600 * SECOND);
        limits.newKey("alice", 0);
        limits.newKey("alice", 0);
        assertThatThrownBy(() -> limits.newKey("alice", 0))
                .hasMessage("alice got too many new keys today; the next one is possible in 43200 s");
    }

    @Test
    void endedKeysAreForgottenAfterATimeAndWhenThereAreMany() throws Exception {
        for (int i = 1; i <= 100; i++) {
            signing.issue("alice", Role.USER);
            signing.keys.revoke("alice/" + i, Signing.SETUP, NOW + i);
        }
        assertThat(signing.keys.list("alice"))
                .hasSize(KeyRing.ENDED_KEYS + 1)
                .last()
                .extracting(ApiKey::number)
                .isEqualTo(100);
        long later = NOW + 91L * 86_400_000;
        signing.keys.issue("bob", Role.USER, Long.MAX_VALUE, Signing.SETUP, later);
        assertThat(signing.keys.list("alice")).extracting(ApiKey::number).containsExactly(100);
        assertThat(signing.ring().list(null)).hasSize(2);
        assertThat(signing.keys
                        .issue("alice", Role.USER, Long.MAX_VALUE, Signing.SETUP, later)
                        .key()
                        .number())
                .isEqualTo(101);
    }

    @Test
    void aFloodWithOneKeyIdUsesUpOnlyTheLimitOfThatKeyId() throws Exception {
        RateLimits limits = new RateLimits(new Limits(10, 10, 10, 10, 10));
        for (int i = 0; i < 20; i++) {
            limits.beforeProof("192.0.2.1", "alice/1", 0);
        }
        assertThatThrownBy(() -> limits.beforeProof("192.0.2.1", "alice/1", 0))
                .hasMessage("too many requests from 192.0.2.1 name the key alice/1; slow down");
        limits.beforeProof("192.0.2.2", "alice/1", 0);
        limits.beforeProof("192.0.2.1", "bob/1", 0);
    }

    @Test
    void manyNamesAreForgottenAgain() {
        TokenBuckets buckets = new TokenBuckets(1, 1, 100);
        for (int i = 0; i < 10_000; i++) {
            assertThat(buckets.take("name " + i, 0)).isZero();
        }
        assertThat(buckets.take("name 9999", 0)).isEqualTo(1_000);
        assertThat(buckets.take("name 0", 0)).isZero();
    }
}
