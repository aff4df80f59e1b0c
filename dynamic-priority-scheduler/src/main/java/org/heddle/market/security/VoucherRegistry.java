// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;

/**
 * Verifies vouchers and records their use: the ledger stores for which application a voucher was used before the
 * application is accepted, so that no crash and no failover makes it valid again. Thread-safe; handles one voucher at a
 * time.
 */
public final class VoucherRegistry {
    /** Kind of the records of used vouchers: expiry time and application. */
    public static final String KIND = "voucher";

    /** A used voucher is remembered until it expires, so each one must expire. */
    static final long LONGEST_SECONDS = 31L * 86_400;

    /** Id of a record among the used vouchers, whose ids are hexadecimal. */
    private static final String FORGOTTEN = "forgotten";

    private static final int REMOVED_AT_ONCE = 20;
    private static final byte[] NO_SECRET = new byte[MasterKeys.BYTES];

    private final String clusterId;
    private final MasterKeys masters;
    private final Store store;
    private final BiPredicate<ApiKey, String> mayUse;

    /** The ledger's records of keys and used vouchers. */
    public interface Store {
        Map<String, MarketRecord> records(String kind);

        /** @throws RefusedException if the records cannot be stored */
        void put(Mutation by, String account) throws RefusedException;
    }

    /** @param mayUse whether the owner of a key may spend the credits of an account */
    public VoucherRegistry(String clusterId, MasterKeys masters, Store store, BiPredicate<ApiKey, String> mayUse) {
        this.clusterId = clusterId;
        this.masters = masters;
        this.store = store;
        this.mayUse = mayUse;
    }

    /**
     * Uses a voucher for an application; a repetition for the same application is accepted.
     *
     * @param tag of the application
     * @throws RefusedException one sentence, if it is not valid for this application
     */
    public synchronized void use(String tag, String application, String account, String user, long nowMillis)
            throws RefusedException {
        Voucher voucher = Voucher.read(tag);
        ApiKey key = signer(voucher, new Voucher.Use(clusterId, account, user));
        long now = nowMillis / 1_000;
        if (!key.isLive(nowMillis)) {
            throw RefusedException.unauthenticated(
                    "key-ended", "the voucher's key " + key.id() + " has expired; create a voucher with another key");
        }
        if (!mayUse.test(key, account)) {
            throw RefusedException.forbidden(key.owner() + " made the voucher, but may not use account " + account);
        }
        MarketRecord used = store.records(KIND).get(voucher.id());
        if (used != null) {
            if (!application.equals(applicationOf(used))) {
                throw RefusedException.unauthenticated(
                        "replayed",
                        "the voucher was used for " + applicationOf(used) + "; create one for each application");
            }
            return;
        }
        if (voucher.expiresSeconds() <= now) {
            throw RefusedException.unauthenticated("too-old", "the voucher has expired; create a new one");
        }
        if (voucher.expiresSeconds() > now + LONGEST_SECONDS) {
            throw RefusedException.badRequest("the voucher is valid for more than " + LONGEST_SECONDS / 86_400
                    + " days; create one that expires earlier");
        }
        Forgotten forgotten = new Forgotten(KIND, FORGOTTEN, store.records(KIND).get(FORGOTTEN));
        if (voucher.expiresSeconds() <= forgotten.latest()) {
            throw RefusedException.unauthenticated(
                    "replayed",
                    "the voucher may have been used before the clock here was set back; create one that expires later");
        }
        List<MarketRecord> records = new ArrayList<>();
        records.add(new MarketRecord(KIND, voucher.id(), voucher.expiresSeconds() + " " + application));
        store.records(KIND).values().stream()
                .filter(old -> !old.id().equals(FORGOTTEN) && endOf(old) < now)
                .limit(REMOVED_AT_ONCE)
                .forEach(old -> {
                    records.add(new MarketRecord(KIND, old.id(), ""));
                    forgotten.add(endOf(old));
                });
        if (records.size() > 1) {
            records.add(forgotten.record());
        }
        store.put(new Mutation(key.owner(), application, "voucher " + voucher.id(), records), account);
    }

    /**
     * The key of the voucher's signature; one sentence for all failures, so that a user cannot find out which keys
     * exist.
     */
    private ApiKey signer(Voucher voucher, Voucher.Use use) throws RefusedException {
        boolean tried = false;
        for (MarketRecord record : store.records(ApiKey.KIND).values()) {
            if (voucher.isOf(record.id())) {
                ApiKey key = ApiKey.parse(record.id(), record.content());
                byte[] secret = masters.secret(key);
                tried = true;
                if (secret != null && voucher.isFor(use, key.id(), secret)) {
                    return key;
                }
            }
        }
        if (!tried) {
            voucher.isFor(use, "", NO_SECRET);
        }
        throw RefusedException.unauthenticated(
                "wrong-signature",
                "the voucher is not for user " + use.user() + " in queue " + use.account() + " of cluster "
                        + use.clusterId() + ", or its key is unknown");
    }

    private static long endOf(MarketRecord used) {
        return Long.parseLong(used.content().substring(0, used.content().indexOf(' ')));
    }

    private static String applicationOf(MarketRecord used) {
        return used.content().substring(used.content().indexOf(' ') + 1);
    }
}
