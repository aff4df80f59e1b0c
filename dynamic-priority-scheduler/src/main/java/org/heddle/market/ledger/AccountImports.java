// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.LedgerWriter.Drafter;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;

/** An import of accounts as one transaction. Pure. */
final class AccountImports {
    private AccountImports() {}

    /** @throws MarketException that names every account that is wrong */
    static void check(List<AccountImport> accounts, Predicate<String> isName) throws MarketException {
        List<String> problems = new ArrayList<>();
        if (accounts.isEmpty() || accounts.size() > Market.MOST_IMPORTED) {
            problems.add(
                    "an import has 1 to " + Market.MOST_IMPORTED + " accounts, and this one has " + accounts.size());
        }
        Set<String> seen = new HashSet<>();
        for (AccountImport account : accounts) {
            String queue = LedgerOperations.shortened(account.queue());
            if (!isName.test(account.queue())) {
                problems.add("'" + queue + "' is not a queue of this market and cannot name a new one; use 1 to 100"
                        + " characters of A-Z, a-z, 0-9, '_' and '-'");
            }
            if (!seen.add(account.queue())) {
                problems.add("'" + queue + "' comes twice");
            }
            if (account.budget().isNegative()) {
                problems.add("the budget " + account.budget() + " of '" + queue + "' is below 0");
            }
            if (account.rate().nanos() > LedgerOperations.HIGHEST_RATE) {
                problems.add("the rate " + account.rate() + " of '" + queue + "' is above 1000000");
            }
        }
        if (!problems.isEmpty()) {
            throw new MarketException(Reason.INVALID, "Nothing was imported: " + String.join("; ", problems));
        }
    }

    static Map<String, String> details(List<AccountImport> accounts) {
        Map<String, String> details = new TreeMap<>();
        for (AccountImport account : accounts) {
            details.put("account " + account.queue(), account.budget() + " " + account.rate());
        }
        return details;
    }

    static Drafter transaction(List<AccountImport> accounts) {
        return ledger -> {
            List<Posting> postings = new ArrayList<>();
            List<LedgerChange> changes = new ArrayList<>();
            long created = 0;
            for (AccountImport account : accounts) {
                Funds has = ledger.find(account.queue());
                if (has == null) {
                    changes.add(new LedgerChange.QueueOpened(account.queue()));
                }
                if (account.budget().isPositive()) {
                    long balance = LedgerOperations.added(
                            account.queue(), Objects.requireNonNullElse(has, Funds.NONE), account.budget());
                    created = LedgerOperations.created(ledger, created, account.budget());
                    postings.add(new Posting(account.queue(), account.budget().nanos(), balance));
                }
                changes.add(
                        new LedgerChange.RateSet(account.queue(), account.rate().nanos()));
            }
            if (created > 0) {
                postings.add(new Posting(Posting.MINT, -created, 0));
            }
            return new Draft(Transaction.Kind.DEPOSIT, "import", postings, changes, created);
        };
    }
}
