// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import org.heddle.market.cli.account.AuditCommand;
import org.heddle.market.cli.account.BidCommand;
import org.heddle.market.cli.account.CloseCommand;
import org.heddle.market.cli.account.ImportCommand;
import org.heddle.market.cli.account.IncomeCommand;
import org.heddle.market.cli.account.InfoCommand;
import org.heddle.market.cli.account.MembersCommand;
import org.heddle.market.cli.account.OpenCommand;
import org.heddle.market.cli.account.PayCommand;
import org.heddle.market.cli.account.RefundCommand;
import org.heddle.market.cli.account.ReportCommand;
import org.heddle.market.cli.account.StatementCommand;
import org.heddle.market.cli.account.WithdrawCommand;
import org.heddle.market.cli.agent.AgentCommand;
import org.heddle.market.cli.keys.KeysCommand;
import org.heddle.market.cli.keys.VoucherCommand;
import org.heddle.market.cli.price.PriceCommand;
import org.heddle.market.cli.price.QuoteCommand;
import org.heddle.market.cli.price.WatchCommand;
import org.heddle.settings.command.Frame;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The heddle market command. Exit codes: 0 done, 1 the market refused the request, 2 the command line, a file or the
 * connection is wrong.
 */
@Command(
        name = "market",
        description = "Reads and changes the market of a dynamic-priority scheduler. Requests are signed (RFC 9421).",
        subcommands = {
            PriceCommand.class,
            InfoCommand.class,
            BidCommand.class,
            OpenCommand.class,
            CloseCommand.class,
            MembersCommand.class,
            PayCommand.class,
            WithdrawCommand.class,
            RefundCommand.class,
            IncomeCommand.class,
            ImportCommand.class,
            StatementCommand.class,
            ReportCommand.class,
            AuditCommand.class,
            QuoteCommand.class,
            WatchCommand.class,
            AgentCommand.class,
            KeysCommand.class,
            VoucherCommand.class
        })
public final class HeddleMarket {
    /** The command line in its frame; tests set their own writers. */
    public static CommandLine commandLine() {
        CommandLine line = Frame.of("heddle market", new HeddleMarket());
        OptionDefaults.install(line, "market");
        return line;
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
