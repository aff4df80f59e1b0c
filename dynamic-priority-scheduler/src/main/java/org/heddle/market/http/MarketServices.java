// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.http.api.KeysApi;
import org.heddle.market.http.api.MarketApi;
import org.heddle.market.http.api.Route;
import org.heddle.market.http.auth.MarketKeyStore;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.http.paper.PaperApi;
import org.heddle.market.ledger.Market;
import org.heddle.market.security.ChangeOrder;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RateLimits;
import org.heddle.market.security.RequestVerifier;
import org.jspecify.annotations.Nullable;

/**
 * The objects that answer requests for one market; created when this process becomes its leader.
 *
 * @param verifier null if there is no master key
 * @param order of the changes that replace a value
 */
public record MarketServices(
        Market market, @Nullable RequestVerifier verifier, ChangeOrder order, List<Route> routes, PaperApi paper) {

    public static MarketServices open(
            Market market, long sinceMillis, WebSettings settings, WebLimits limits, RateLimits rates, String host) {
        String cluster = market.status().terms().clusterId();
        RequestVerifier.Profile profile = new RequestVerifier.Profile(
                cluster, limits.window().toMillis(), limits.ahead().toMillis(), sinceMillis);
        KeyRing ring = null;
        RequestVerifier verifier = null;
        if (!settings.masterKey().isEmpty()) {
            MasterKeys masters = new MasterKeys(cluster, settings.masterKey(), settings.formerMasterKeys());
            ring = new KeyRing(masters, new MarketKeyStore(market), new SecureRandom(), limits.keepEndedKeys());
            verifier = new RequestVerifier(profile, ring, market.records(RequestVerifier.MARKS), rates);
        }
        List<Route> routes = new ArrayList<>(MarketApi.routes());
        routes.addAll(new KeysApi(ring).routes());
        ChangeOrder order = new ChangeOrder(profile.lifeMillis(), market.records(ChangeOrder.KIND));
        return new MarketServices(market, verifier, order, routes, new PaperApi(host));
    }
}
