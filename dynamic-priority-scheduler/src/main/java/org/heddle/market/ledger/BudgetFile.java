// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.status.QueueStatus;

/**
 * The budget file of the scheduler of 2009: a line {@code queue budget spending} for each queue, with single blanks. It
 * means spending per slot and interval: import it into a market whose rate unit is the interval.
 */
public final class BudgetFile {
    private static final int MOST_DECIMALS = 9;

    /** One line. */
    public record Entry(String queue, Credits budget, SpendingRate spending) {}

    private BudgetFile() {}

    /**
     * Reads a file. What has more than nine decimals is cut off there.
     *
     * @throws IOException one sentence, with the line that cannot be read
     */
    public static List<Entry> read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            try {
                if (words.length != 3) {
                    throw new IllegalArgumentException("has " + words.length + " words instead of 3");
                }
                entries.add(new Entry(words[0], Credits.parse(cut(words[1])), SpendingRate.parse(cut(words[2]))));
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        file + ", line " + (i + 1) + " " + e.getMessage() + "; write: queue budget spending", e);
            }
        }
        return entries;
    }

    private static String cut(String number) {
        return number.matches("-?\\d+\\.\\d+")
                ? new BigDecimal(number)
                        .setScale(MOST_DECIMALS, RoundingMode.DOWN)
                        .toPlainString()
                : number;
    }

    /** Writes all queues of a market as they are now. */
    public static void write(Path file, List<QueueStatus> queues) throws IOException {
        StringBuilder text = new StringBuilder();
        for (QueueStatus queue : queues) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s %.20f %.20f%n",
                    queue.name(),
                    new BigDecimal(queue.budget().toString()),
                    new BigDecimal(queue.rate().toString())));
        }
        Files.writeString(file, text);
    }

    /**
     * Opens the queues that a market does not have, pays in the budgets and sets the rates. Running it again with the same
     * key changes nothing.
     *
     * @param key begins the idempotency keys of the changes
     */
    public static void importInto(Market market, List<Entry> entries, String principal, String key)
            throws MarketException {
        for (Entry entry : entries) {
            if (market.queues().stream().noneMatch(queue -> queue.name().equals(entry.queue()))) {
                market.addQueue(new Mutation(principal, "budget-file", key + "-open-" + entry.queue()), entry.queue());
            }
            if (entry.budget().isPositive()) {
                market.addBudget(
                        new Mutation(principal, "budget-file", key + "-pay-" + entry.queue()),
                        entry.queue(),
                        entry.budget(),
                        "imported budget");
            }
            market.setSpending(
                    new Mutation(principal, "budget-file", key + "-rate-" + entry.queue()),
                    entry.queue(),
                    entry.spending());
        }
    }
}
