// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.heddle.market.agent.MarketAccess;
import org.heddle.market.agent.MarketView;
import org.heddle.market.agent.RateText;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAddress;

/** An account in a market over REST. */
final class RestMarketAccess implements MarketAccess {
    private static final int PAGE = 1_000;
    private static final int MOST_PAGES = 100;
    private static final long PAST_MILLIS = 24 * 3_600_000L;

    private final MarketClient client;
    private final String account;
    private long fromMillis = -1;
    private long sequence;
    private double charged;

    RestMarketAccess(MarketClient client, String account) {
        this.client = client;
        this.account = account;
    }

    @Override
    public MarketView view() throws IOException {
        JsonNode price = get("price");
        JsonNode own = get("accounts/" + WebAddress.segment(account)).path("account");
        if (fromMillis < 0) {
            fromMillis = price.path("nowMillis").asLong();
        }
        readCharges();
        double used = number(own, "used");
        double containers = own.path("usedContainers").asDouble();
        double each = containers > 0 ? used / containers : 1;
        return new MarketView(
                price.path("nowMillis").asLong(),
                price.path("nextEpochMillis").asLong(),
                price.path("intervalMillis").asLong(),
                price.path("rateUnitMillis").asLong(),
                number(price, "capacity"),
                Math.max(0, number(price, "price") - number(own, "effectiveRate")),
                number(own, "rate"),
                number(own, "effectiveRate"),
                used,
                containers,
                used + own.path("pendingContainers").asDouble() * each,
                number(own, "budget"),
                charged,
                number(own, "accrued"));
    }

    /** Adds the charges since the last call; the market keeps them in the order of their numbers. */
    private void readCharges() throws IOException {
        for (int page = 0; page < MOST_PAGES; page++) {
            JsonNode lines = get("accounts/" + WebAddress.segment(account) + "/statement?from=" + fromMillis + "&after="
                            + sequence + "&most=" + PAGE)
                    .path("lines");
            for (JsonNode line : lines) {
                sequence = Math.max(sequence, line.path("sequence").asLong());
                if (line.path("kind").asText().equals("charge")) {
                    charged += Math.abs(number(line, "amount"));
                }
            }
            if (lines.size() < PAGE) {
                return;
            }
        }
    }

    @Override
    public List<Double> pastOthers() throws IOException {
        long now = get("price").path("nowMillis").asLong();
        List<Double> past = new ArrayList<>();
        for (JsonNode point :
                get("prices?points=500&from=" + (now - PAST_MILLIS)).path("prices")) {
            past.add(number(point, "price"));
        }
        return past;
    }

    @Override
    public void setRate(double rate) throws IOException {
        try {
            client.change(
                    "PUT",
                    "accounts/" + WebAddress.segment(account) + "/rate",
                    Map.of("rate", RateText.exact(rate)),
                    UUID.randomUUID().toString());
        } catch (CommandException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private JsonNode get(String path) throws IOException {
        try {
            return client.get(path);
        } catch (CommandException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static double number(JsonNode node, String field) {
        return Double.parseDouble(node.path(field).asText("0"));
    }
}
