// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.http.api.Refusals;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.Access;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.VoucherRegistry;

/** Checks and uses vouchers with the keys, the roles and the ledger of one market. */
public final class VoucherService {
    private final VoucherRegistry registry;

    private VoucherService(VoucherRegistry registry) {
        this.registry = registry;
    }

    /** @throws RefusedException if there is no master key, or the configuration is wrong */
    public static VoucherService open(Configuration conf, Market market) throws RefusedException {
        try {
            WebSettings settings = WebSettings.read(conf);
            if (settings.masterKey().isEmpty()) {
                throw RefusedException.unavailable(
                        "vouchers cannot be checked, because the cluster has no master key; an"
                                + " administrator must set " + WebKeys.MASTER_KEY.name());
            }
            String cluster = market.status().terms().clusterId();
            MasterKeys masters = new MasterKeys(cluster, settings.masterKey(), settings.formerMasterKeys());
            UserRoles roles = new UserRoles(settings, conf);
            return new VoucherService(new VoucherRegistry(
                    cluster, masters, new Records(market), (key, account) -> mayUse(roles, market, key, account)));
        } catch (IllegalArgumentException e) {
            throw RefusedException.unavailable("vouchers cannot be checked: " + e.getMessage());
        }
    }

    private static boolean mayUse(UserRoles roles, Market market, ApiKey key, String account) {
        return Access.allows(roles.of(key, market), Access.Action.TAKE, account, market::ownsByName);
    }

    /**
     * Uses a voucher for an application; returns when the store has written that.
     *
     * @throws RefusedException one sentence, if the voucher is not valid for the application
     */
    public void use(String tag, String application, String account, String user, long nowMillis)
            throws RefusedException {
        registry.use(tag, application, account, user, nowMillis);
    }

    private record Records(Market market) implements VoucherRegistry.Store {
        @Override
        public Map<String, MarketRecord> records(String kind) {
            return market.records(kind);
        }

        @Override
        public void put(Mutation by, String account) throws RefusedException {
            try {
                market.record(by, "use-voucher", account);
            } catch (MarketException e) {
                throw Refusals.of(e);
            }
        }
    }
}
