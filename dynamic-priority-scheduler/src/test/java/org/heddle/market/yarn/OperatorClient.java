// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RequestSigner;
import org.heddle.testkit.ProcessCluster;

/** The operator's client of a market whose master key is {@link VoucherMaker#MASTER}. */
final class OperatorClient {
    private OperatorClient() {}

    /** @param managers which it asks, such as rm1 */
    static MarketClient of(ProcessCluster cluster, String marketId, String... managers) {
        MasterKeys masters = new MasterKeys(marketId, VoucherMaker.MASTER, List.of());
        RequestSigner operator = new RequestSigner(
                marketId,
                KeyRing.OPERATOR + "/1",
                Objects.requireNonNull(masters.secret(KeyRing.operatorKey(masters))),
                new SecureRandom());
        List<URI> addresses = new ArrayList<>();
        for (String manager : managers) {
            addresses.add(cluster.managerUri(manager, ""));
        }
        return new MarketClient(addresses, operator, Clock.systemUTC());
    }
}
