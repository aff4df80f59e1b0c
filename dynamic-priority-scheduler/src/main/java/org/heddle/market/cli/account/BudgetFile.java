// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.settings.command.CommandException;

/**
 * A budget file: a line {@code ACCOUNT BUDGET RATE} for each account, as the scheduler of 2009 wrote it. Empty lines
 * and lines that begin with {@code #} are skipped. Decimals beyond the ninth are cut off.
 */
final class BudgetFile {
    private static final int MOST_DECIMALS = 9;
    private static final String ACCOUNT = "[A-Za-z0-9_.-]{1,100}";

    private BudgetFile() {}

    /**
     * Reads all lines.
     *
     * @param name of the file, for messages
     * @throws CommandException that names every line that is wrong
     */
    static List<AccountImport> parse(String name, List<String> lines) {
        Map<String, Integer> lineOf = new LinkedHashMap<>();
        List<AccountImport> accounts = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                AccountImport account = account(line);
                Integer first = lineOf.putIfAbsent(account.queue(), i + 1);
                if (first != null) {
                    throw new IllegalArgumentException(
                            "account " + account.queue() + " is in line " + first + " already; keep one of the two");
                }
                accounts.add(account);
            } catch (IllegalArgumentException e) {
                problems.add("line " + (i + 1) + ": " + e.getMessage());
            }
        }
        if (accounts.isEmpty() && problems.isEmpty()) {
            problems.add("the file has no account; write a line ACCOUNT BUDGET RATE for each one");
        }
        if (!problems.isEmpty()) {
            String separator = System.lineSeparator() + "  ";
            throw new CommandException(
                    CommandException.WRONG,
                    name + ": nothing was imported" + separator + String.join(separator, problems));
        }
        return accounts;
    }

    private static AccountImport account(String line) {
        String[] words = line.split("\\s+", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("the line has " + words.length + " words; write ACCOUNT BUDGET RATE");
        }
        String queue = AccountNames.account(words[0]);
        if (!queue.matches(ACCOUNT)) {
            throw new IllegalArgumentException("'" + words[0]
                    + "' is not the name of an account; use 1 to 100 characters of A-Z, a-z, 0-9, '.', '_' and '-'");
        }
        Credits budget = Credits.parse(cut(words[1]));
        if (budget.isNegative()) {
            throw new IllegalArgumentException("the budget " + budget + " is below 0; use 0 or more");
        }
        return new AccountImport(queue, budget, SpendingRate.parse(cut(words[2])));
    }

    private static String cut(String number) {
        if (number.matches("-?\\d+\\.\\d+")) {
            return new BigDecimal(number)
                    .setScale(MOST_DECIMALS, RoundingMode.DOWN)
                    .toPlainString();
        }
        return number;
    }
}
