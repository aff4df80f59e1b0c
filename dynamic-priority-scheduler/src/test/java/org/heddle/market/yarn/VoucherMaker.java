// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.Role;
import org.heddle.market.security.Voucher;

/** An account's owner who signs vouchers with a key of its own. */
final class VoucherMaker {
    /** The master key that the ResourceManager has to have. */
    static final String MASTER = Base64.getEncoder().encodeToString(new byte[32]);

    private final String account;
    private final String cluster;
    private final byte[] secret;
    private final ApiKey key;

    /** Gives the owner of an account a key. */
    VoucherMaker(Market market, String account) throws MarketException {
        this.account = account;
        cluster = market.status().terms().clusterId();
        MasterKeys masters = new MasterKeys(cluster, MASTER, List.of());
        key = new ApiKey(account, 1, Role.USER, "salt", masters.presentId(), 0, Long.MAX_VALUE, 0);
        secret = Objects.requireNonNull(masters.secret(key));
        market.record(
                new Mutation(account, "test", "key", List.of(new MarketRecord(ApiKey.KIND, key.id(), key.content()))),
                "issue-key",
                key.id());
    }

    /** A voucher that is good for a user and an hour. */
    String voucher(String user, long nowMillis) {
        return Voucher.issue(
                new Voucher.Use(cluster, account, user),
                key.id(),
                secret,
                nowMillis / 1_000 + 3_600,
                new SecureRandom());
    }
}
