// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import java.util.ArrayList;
import java.util.List;
import org.heddle.market.http.api.Refusals;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.KeyStore;
import org.heddle.market.security.RefusedException;

/** Stores API keys in the market's ledger. */
public final class MarketKeyStore implements KeyStore {
    private final Market market;

    public MarketKeyStore(Market market) {
        this.market = market;
    }

    @Override
    public List<ApiKey> keys() {
        List<ApiKey> keys = new ArrayList<>();
        for (MarketRecord record : market.records(ApiKey.KIND).values()) {
            keys.add(ApiKey.parse(record.id(), record.content()));
        }
        return keys;
    }

    @Override
    public void put(ApiKey key, List<String> forgotten, Mutation by, String action) throws RefusedException {
        List<MarketRecord> records = new ArrayList<>(by.records());
        records.add(new MarketRecord(ApiKey.KIND, key.id(), key.content()));
        forgotten.forEach(id -> records.add(new MarketRecord(ApiKey.KIND, id, "")));
        try {
            market.record(new Mutation(by.principal(), by.origin(), by.idempotencyKey(), records), action, key.id());
        } catch (MarketException e) {
            throw Refusals.of(e);
        }
    }
}
