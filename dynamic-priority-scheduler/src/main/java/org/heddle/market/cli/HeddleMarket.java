// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import java.io.PrintWriter;
import org.heddle.market.cli.account.AuditCommand;
import org.heddle.market.cli.account.BidCommand;
import org.heddle.market.cli.account.CloseCommand;
import org.heddle.market.cli.account.ImportCommand;
import org.heddle.market.cli.account.IncomeCommand;
import org.heddle.market.cli.account.InfoCommand;
import org.heddle.market.cli.account.OpenCommand;
import org.heddle.market.cli.account.PayCommand;
import org.heddle.market.cli.account.ReportCommand;
import org.heddle.market.cli.account.StatementCommand;
import org.heddle.market.cli.account.WithdrawCommand;
import org.heddle.market.cli.agent.AgentCommand;
import org.heddle.market.cli.client.CommandException;
import org.heddle.market.cli.keys.KeysCommand;
import org.heddle.market.cli.keys.VoucherCommand;
import org.heddle.market.cli.price.PriceCommand;
import org.heddle.market.cli.price.QuoteCommand;
import org.heddle.market.cli.price.WatchCommand;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The heddle market command. Exit codes: 0 done, 1 the market refused the request, 2 the command line, a file or the
 * connection is wrong.
 */
@Command(
        name = "market",
        mixinStandardHelpOptions = true,
        versionProvider = HeddleMarket.Version.class,
        description = "Reads and changes the market of a dynamic-priority scheduler. Requests are signed (RFC 9421).",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PriceCommand.class,
            InfoCommand.class,
            BidCommand.class,
            OpenCommand.class,
            CloseCommand.class,
            PayCommand.class,
            WithdrawCommand.class,
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
public final class HeddleMarket implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The command line with its error messages; tests set their own writers. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new HeddleMarket());
        line.setCommandName(System.getProperty("heddle.command", "heddle-market"));
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof CommandException failure) {
                PrintWriter err = command.getErr();
                err.println("heddle-market: " + failure.getMessage());
                return failure.exitCode();
            }
            throw e;
        });
        line.setParameterExceptionHandler(HeddleMarket::explain);
        OptionDefaults.install(line, "market");
        return line;
    }

    /** One sentence about a wrong command line, and where to read on. */
    private static int explain(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String problem = String.valueOf(e.getMessage())
                .replaceFirst(" is not an? (int|long)$", " must be a whole number")
                .replaceFirst(" is not a double$", " must be a plain number, for example 90 or 1.5");
        command.getErr()
                .println("heddle-market: " + problem + "; see "
                        + command.getCommandSpec().qualifiedName() + " --help");
        UnmatchedArgumentException.printSuggestions(e, command.getErr());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = HeddleMarket.class.getPackage().getImplementationVersion();
            return new String[] {
                "heddle-market " + (version == null ? "(not packaged)" : version) + ", API version 1, key file format 1"
            };
        }
    }
}
