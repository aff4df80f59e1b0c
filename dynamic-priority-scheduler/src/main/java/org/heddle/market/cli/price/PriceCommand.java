// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.price;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.settings.command.DurationConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle market price}. */
@Command(name = "price", description = "Shows the price of a slot: now, in the past, or in a forecast.")
public final class PriceCommand extends MarketCommand {
    private static final double HOUR_MILLIS = 3_600_000;

    @Option(
            names = "--history",
            paramLabel = "DURATION",
            converter = DurationConverter.Hours.class,
            description = "Prices of the time until now, for example 12h; a number without a unit is hours.")
    private Duration history = Duration.ZERO;

    @Option(
            names = "--forecast",
            paramLabel = "DURATION",
            converter = DurationConverter.Minutes.class,
            description = "Forecast for the next time, for example 90m; a number without a unit is minutes.")
    private Duration forecast = Duration.ZERO;

    @Override
    protected boolean needsProof() {
        return false;
    }

    @Override
    protected void run(MarketClient client) {
        if (!history.isZero()) {
            history(client);
        } else if (!forecast.isZero()) {
            forecast(client);
        } else {
            now(client);
        }
    }

    private void now(MarketClient client) {
        JsonNode price = client.get("price");
        if (printed(price)) {
            return;
        }
        String sum = price.get("price").asText();
        String slots = price.get("capacity").asText();
        String part;
        if (price.get("price").asDouble() == 0) {
            part = "any rate gets up to " + slots + " slots as nobody else pays,";
        } else {
            part = "a rate r gets r / " + sum + " x " + slots + " slots,";
        }
        out().println("price " + sum + ", the sum of the rates of all accounts that pay; "
                + price.get("used").asText() + " of " + slots + " slots in use; " + part
                + " and costs r credits for each slot and "
                + duration(price.get("rateUnitMillis")) + "; epoch "
                + price.get("epoch").asText() + " of "
                + price.get("cluster").asText());
    }

    private void history(MarketClient client) {
        long now = client.get("price").get("nowMillis").asLong();
        JsonNode answer = client.get("prices?points=24&from=" + (now - history.toMillis()));
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("since", "price", "slots", "used", "charged", "a slot-hour", "paying");
        for (JsonNode point : answer.get("prices")) {
            table.add(
                    time(point.get("startMillis")),
                    point.get("price").asText(),
                    point.get("capacity").asText(),
                    point.get("used").asText(),
                    point.get("revenue").asText(),
                    slotHour(point),
                    point.get("payingAccounts").asText());
        }
        out().print(table);
    }

    /** What a slot-hour cost on average: if it rises for weeks, the cluster is too small for the credits. */
    private static String slotHour(JsonNode point) {
        double slotHours = point.get("used").asDouble() * point.get("millis").asDouble() / HOUR_MILLIS;
        if (slotHours <= 0) {
            return "-";
        }
        return String.format(Locale.ROOT, "%.3g", point.get("revenue").asDouble() / slotHours);
    }

    private void forecast(MarketClient client) {
        JsonNode answer = client.get("forecast?points=12&minutes=" + Math.max(1, forecast.toMinutes()));
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("at", "low", "middle", "high");
        for (JsonNode point : answer.get("forecast")) {
            table.add(
                    time(point.get("atMillis")),
                    point.get("low").asText(),
                    point.get("middle").asText(),
                    point.get("high").asText());
        }
        out().print(table);
    }
}
