// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.price;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market watch}. */
@Command(name = "watch", description = "Shows an account again and again: balance, rate, price, share, slots, runway.")
public final class WatchCommand extends MarketCommand {
    private static final int HEADER_EVERY = 20;

    @Parameters(arity = "0..1", paramLabel = "ACCOUNT", description = "Default: the account of the key's owner.")
    private @Nullable String account;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = DurationConverter.Seconds.class,
            description = "Time between two lines. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(names = "--count", paramLabel = "N", description = "End after this many lines. Default: until interrupted.")
    private long count = Long.MAX_VALUE;

    @Override
    protected void run(MarketClient client) {
        if (every.toSeconds() < 1 || count < 1) {
            throw new CommandException(CommandException.WRONG, "--every must be 1s or more, and --count 1 or more");
        }
        String whose =
                account != null ? account : client.get("whoami").path("name").asText();
        for (long line = 0; line < count; line++) {
            if (line > 0) {
                LockSupport.parkNanos(every.toNanos());
            }
            JsonNode price = client.get("price");
            JsonNode one = client.get("accounts/" + WebAddress.segment(whose)).path("account");
            if (printed(one)) {
                continue;
            }
            if (line % HEADER_EVERY == 0) {
                out().println(row("time", "balance", "rate", "price", "share", "slots", "used", "pending", "lasts"));
            }
            out().println(row(
                    time(price.get("nowMillis")).substring(11, 19),
                    one.get("budget").asText(),
                    one.get("rate").asText(),
                    price.get("price").asText(),
                    String.format(Locale.ROOT, "%.2f%%", one.get("share").asDouble() * 100),
                    one.get("entitled").asText(),
                    one.get("used").asText(),
                    one.get("pendingContainers").asText(),
                    duration(one.get("runwayMillis"))));
            out().flush();
        }
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, "%-8s %16s %12s %12s %8s %12s %12s %8s %8s", (Object[]) cells);
    }
}
