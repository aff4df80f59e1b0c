// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class VoucherTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long HOUR = NOW / 1_000 + 3_600;
    private static final MasterKeys MASTERS =
            new MasterKeys("pine", Base64.getEncoder().encodeToString(new byte[32]), List.of());

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Map<String, MarketRecord>> records = new TreeMap<>();
    private VoucherRegistry book = book();
    private final ApiKey key = key("Alice", Long.MAX_VALUE);

    private VoucherRegistry book() {
        return new VoucherRegistry(
                "pine",
                MASTERS,
                new VoucherRegistry.Store() {
                    @Override
                    public Map<String, MarketRecord> records(String kind) {
                        return Map.copyOf(records.getOrDefault(kind, Map.of()));
                    }

                    @Override
                    public void put(Mutation by, String account) {
                        by.records().forEach(VoucherTest.this::store);
                    }
                },
                (signer, account) -> signer.owner().equalsIgnoreCase(account));
    }

    private void store(MarketRecord record) {
        Map<String, MarketRecord> ofKind = records.computeIfAbsent(record.kind(), any -> new TreeMap<>());
        if (record.isRemoval()) {
            ofKind.remove(record.id());
        } else {
            ofKind.put(record.id(), record);
        }
    }

    private ApiKey key(String owner, long end) {
        ApiKey made = new ApiKey(owner, 1, Role.USER, "salt", MASTERS.presentId(), NOW - 1, end, 0);
        store(new MarketRecord(ApiKey.KIND, made.id(), made.content()));
        return made;
    }

    private String voucher(ApiKey with, String cluster, String account, String user, long expires) {
        byte[] secret = Objects.requireNonNull(MASTERS.secret(with));
        return Voucher.issue(new Voucher.Use(cluster, account, user), with.id(), secret, expires, random);
    }

    @Test
    void oneVoucherLetsOneApplicationInAlsoAfterAFailOver() throws Exception {
        String tag = voucher(key, "pine", "alice", "bob", HOUR);
        assertThat(tag).hasSizeLessThanOrEqualTo(100).isEqualTo(tag.toLowerCase(java.util.Locale.ROOT));

        book.use(tag, "application_1_0001", "alice", "bob", NOW);
        assertThatCode(() -> book.use(tag, "application_1_0001", "alice", "bob", NOW))
                .doesNotThrowAnyException();
        book = book();
        assertThatThrownBy(() -> book.use(tag, "application_1_0002", "alice", "bob", NOW))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("was used for application_1_0001");
    }

    @Test
    void aStepOfTheClockMakesNoVoucherValidTwice() throws Exception {
        String tag = voucher(key, "pine", "alice", "bob", NOW / 1_000 + 60);
        book.use(tag, "application_1_0001", "alice", "bob", NOW);
        long ahead = NOW + 3_600_000;
        book.use(voucher(key, "pine", "alice", "bob", ahead / 1_000 + 60), "application_1_0002", "alice", "bob", ahead);
        assertThatThrownBy(() -> book.use(tag, "application_1_0003", "alice", "bob", NOW + 1_000))
                .hasMessageContaining("may have been used before the clock here was set back");
        book = book();
        assertThatThrownBy(() -> book.use(tag, "application_1_0003", "alice", "bob", NOW + 1_000))
                .hasMessageContaining("may have been used before the clock here was set back");
        book.use(voucher(key, "pine", "alice", "bob", NOW / 1_000 + 61), "application_1_0004", "alice", "bob", NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "oak, alice, bob, 60, is not for user bob in queue alice of cluster pine",
        "pine, carol, bob, 60, is not for user bob in queue alice of cluster pine",
        "pine, alice, carol, 60, is not for user bob in queue alice of cluster pine",
        "pine, alice, bob, 0, has expired",
        "pine, alice, bob, -5, has expired",
        "pine, alice, bob, 9999999, is valid for more than 31 days",
    })
    void aVoucherForSomethingElseIsRefused(String cluster, String account, String user, long seconds, String why) {
        String tag = voucher(key, cluster, account, user, NOW / 1_000 + seconds);
        assertThatThrownBy(() -> book.use(tag, "application_1_0001", "alice", "bob", NOW))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(why);
        assertThat(records.getOrDefault(VoucherRegistry.KIND, Map.of())).isEmpty();
    }

    @Test
    void everyChangedCharacterIsNoticed() {
        String good = voucher(key, "pine", "alice", "bob", HOUR);
        for (int i = 0; i < good.length(); i++) {
            StringBuilder changed = new StringBuilder(good);
            changed.setCharAt(i, good.charAt(i) == 'q' ? 'r' : 'q');
            assertThatThrownBy(() -> book.use(changed.toString(), "application_1_0001", "alice", "bob", NOW))
                    .as("%s", changed)
                    .isInstanceOf(RefusedException.class);
        }
        assertThatThrownBy(() -> book.use(good.substring(0, 60), "application_1_0001", "alice", "bob", NOW))
                .hasMessageContaining("is incomplete");
        assertThatThrownBy(() -> book.use(good + "a", "application_1_0001", "alice", "bob", NOW))
                .hasMessageContaining("is incomplete");
    }

    @Test
    void theSignersRightsCount() {
        ApiKey ended = key("ended", NOW - 1);
        assertThatThrownBy(() -> book.use(
                        voucher(ended, "pine", "ended", "bob", HOUR), "application_1_0001", "ended", "bob", NOW))
                .hasMessageContaining("key ended/1 has expired");
        assertThatThrownBy(() -> book.use(
                        voucher(key, "pine", "research", "bob", HOUR), "application_1_0001", "research", "bob", NOW))
                .hasMessageContaining("Alice made the voucher, but may not use account research");
    }

    @Test
    void usedVouchersAreForgottenOnceTheyHaveEnded() throws Exception {
        for (int i = 0; i < 30; i++) {
            book.use(voucher(key, "pine", "alice", "bob", HOUR), "application_1_" + i, "alice", "bob", NOW);
        }
        assertThat(records.get(VoucherRegistry.KIND)).hasSize(30);
        long later = NOW + 7_200_000;
        for (int i = 0; i < 2; i++) {
            book.use(
                    voucher(key, "pine", "alice", "bob", later / 1_000 + 60),
                    "application_2_" + i,
                    "alice",
                    "bob",
                    later);
        }
        assertThat(records.get(VoucherRegistry.KIND))
                .as("these two, and how far is forgotten")
                .hasSize(3);
    }
}
