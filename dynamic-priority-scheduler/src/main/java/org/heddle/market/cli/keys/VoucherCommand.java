// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.keys;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.heddle.market.cli.client.KeyFile;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.Voucher;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market voucher}: needs the key only, no connection to a market. */
@Command(
        name = "voucher",
        description = {
            "Creates a voucher: an application tag that admits one application, once, at the cost of an account.",
            "Set it as mapreduce.job.tags in MapReduce, as spark.yarn.tags in Spark. The command needs the key file,"
                    + " but no connection."
        })
public final class VoucherCommand extends MarketCommand {
    private static final Duration LONGEST = Duration.ofDays(31);

    @Parameters(paramLabel = "ACCOUNT", description = "The account that pays: the name of its queue without root.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(
            names = "--for",
            paramLabel = "USER",
            description = "The user who submits; the owner of the key by default.")
    private @Nullable String user;

    @Option(
            names = "--minutes",
            paramLabel = "DURATION",
            defaultValue = "60m",
            converter = DurationConverter.Minutes.class,
            description = "Time until it expires. Default: ${DEFAULT-VALUE}; a number without a unit is" + " minutes.")
    private Duration minutes = Duration.ZERO;

    @Override
    public Integer call() {
        if (minutes.toMinutes() < 1 || minutes.compareTo(LONGEST) > 0) {
            throw new CommandException(CommandException.WRONG, "--minutes " + minutes.toMinutes() + "m: use 1m to 31d");
        }
        KeyFile key = KeyFile.read(connection().newKeyFile());
        String owner = key.keyId().substring(0, Math.max(0, key.keyId().lastIndexOf('/')));
        String name = AccountNames.account(account);
        Voucher.Use use = new Voucher.Use(key.cluster(), name, user == null ? owner : user);
        out().println(Voucher.issue(
                use, key.keyId(), key.secretBytes(), Instant.now().plus(minutes).getEpochSecond(), new SecureRandom()));
        out().flush();
        return 0;
    }

    @Override
    protected void run(MarketClient client) {
        throw new IllegalStateException("this command needs no connection");
    }
}
