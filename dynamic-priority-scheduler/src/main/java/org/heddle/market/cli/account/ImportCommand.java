// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.model.change.AccountImport;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market import}. */
@Command(
        name = "import",
        description = {
            "Opens accounts, pays budgets into them and sets their rates, as a file says: all of it or nothing.",
            "The file has a line ACCOUNT BUDGET RATE for each account; lines that begin with # are comments. An account"
                    + " that exists keeps what it has and gets the budget in addition. You need the role admin."
        })
public final class ImportCommand extends MarketCommand {
    @Parameters(paramLabel = "FILE", description = "The file; - is standard input.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path file;

    @Option(
            names = "--once",
            paramLabel = "WORD",
            description = "Import once, even if this command runs again with the same word.")
    private @Nullable String once;

    @Override
    protected void run(MarketClient client) {
        List<AccountImport> accounts = BudgetFile.parse(file.toString(), lines());
        Map<String, String> budgets = new TreeMap<>();
        Map<String, String> rates = new TreeMap<>();
        for (AccountImport account : accounts) {
            budgets.put(account.queue(), account.budget().toString());
            rates.put(account.queue(), account.rate().toString());
        }
        printReceipt(
                client.change("POST", "imports", Map.of("budgets", budgets, "rates", rates), idempotencyKey(once)),
                accounts.size() + (accounts.size() == 1 ? " account" : " accounts") + " imported from " + file);
    }

    private List<String> lines() {
        try {
            if (file.toString().equals("-")) {
                return new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
            }
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new CommandException(
                    CommandException.WRONG,
                    file + ": this is not a text in UTF-8; write ACCOUNT BUDGET RATE in each line");
        } catch (IOException e) {
            throw new CommandException(CommandException.WRONG, file + ": cannot be read: " + e.getMessage());
        }
    }
}
