// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;

/**
 * Decides whether a {@link Voucher} is good, and for which application it was used: that is stored with the books before
 * the application is let in, so that no kill and no fail-over makes it good again. Any thread; one voucher after another.
 */
public final class VoucherRegistry {
    /** Kind of the records of used vouchers: the time when it ends and the application. */
    public static final String KIND = "voucher";

    /** A used voucher is remembered until it ends: so it must end some time. */
    static final long LONGEST_SECONDS = 31L * 86_400;

    private static final int REMOVED_AT_ONCE = 20;
    private static final byte[] NO_SECRET = new byte[MasterKeys.BYTES];

    private final String clusterId;
    private final MasterKeys masters;
    private final Store store;
    private final BiPredicate<ApiKey, String> mayUse;

    /** Keys and used vouchers in the market's books. */
    public interface Store {
        Map<String, MarketRecord> records(String kind);

        /** @throws RefusedException if they cannot be stored */
        void put(Mutation by, String account) throws RefusedException;
    }

    /** @param mayUse whether somebody with a key may use what an account has */
    public VoucherRegistry(String clusterId, MasterKeys masters, Store store, BiPredicate<ApiKey, String> mayUse) {
        this.clusterId = clusterId;
        this.masters = masters;
        this.store = store;
        this.mayUse = mayUse;
    }

    /**
     * Uses a voucher for an application; for the same one it can be used again.
     *
     * @param tag as it was found among the application's tags
     * @throws RefusedException one sentence, if it is not good for this application
     */
    public synchronized void use(String tag, String application, String account, String user, long nowMillis)
            throws RefusedException {
        Voucher voucher = Voucher.read(tag);
        ApiKey key = signer(voucher, new Voucher.Use(clusterId, account, user));
        long now = nowMillis / 1_000;
        if (!key.isLive(nowMillis)) {
            throw RefusedException.unauthenticated(
                    "key-ended", "the voucher's key " + key.id() + " has ended; make one with another key");
        }
        if (!mayUse.test(key, account)) {
            throw RefusedException.forbidden(key.owner() + ", who made the voucher, may not use account " + account);
        }
        MarketRecord used = store.records(KIND).get(voucher.id());
        if (used != null) {
            if (!application.equals(applicationOf(used))) {
                throw RefusedException.unauthenticated(
                        "replayed",
                        "the voucher was used for " + applicationOf(used) + "; make one for each application");
            }
            return;
        }
        if (voucher.expiresSeconds() <= now) {
            throw RefusedException.unauthenticated("too-old", "the voucher has expired; make a new one");
        }
        if (voucher.expiresSeconds() > now + LONGEST_SECONDS) {
            throw RefusedException.badRequest("the voucher is good for more than " + LONGEST_SECONDS / 86_400
                    + " days; make one that ends sooner");
        }
        List<MarketRecord> records = new ArrayList<>();
        records.add(new MarketRecord(KIND, voucher.id(), voucher.expiresSeconds() + " " + application));
        store.records(KIND).values().stream()
                .filter(old -> endOf(old) < now)
                .limit(REMOVED_AT_ONCE)
                .forEach(old -> records.add(new MarketRecord(KIND, old.id(), "")));
        store.put(new Mutation(key.owner(), application, "voucher " + voucher.id(), records), account);
    }

    /** The key that it is signed with; one sentence for all that is wrong, so that nobody learns which keys there are. */
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
                        + use.clusterId() + ", or its key is not known");
    }

    private static long endOf(MarketRecord used) {
        return Long.parseLong(used.content().substring(0, used.content().indexOf(' ')));
    }

    private static String applicationOf(MarketRecord used) {
        return used.content().substring(used.content().indexOf(' ') + 1);
    }
}
