// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.terms.MarketTerms;

/**
 * Writes the past of a market into a ledger: accounts with bids, and the bills of their applications in many epochs.
 */
public final class PastOfMarket {
    private static final long SLOT_NANOS = 1_000_000_000;
    /** Accounts that use nothing in an epoch have no bill. */
    private static final int ONE_OF = 4;
    /** Epochs in which an application runs. */
    private static final int EPOCHS_OF_APPLICATION = 30;

    private final MarketTerms terms;
    private final LedgerStore store;
    private final List<String> accounts;
    private long now;

    public PastOfMarket(MarketTerms terms, LedgerStore store, List<String> accounts) {
        this.terms = terms;
        this.store = store;
        this.accounts = accounts;
    }

    /** Writes the epochs up to a moment, and closes the ledger. */
    public void write(int epochs, long untilMillis) throws Exception {
        now = untilMillis - epochs * terms.intervalMillis();
        SplittableRandom random = new SplittableRandom(19);
        try (Market market = new Market(terms, store, () -> now, Duration.ofSeconds(60))) {
            market.open();
            for (int first = 0; first < accounts.size(); first += Market.MOST_IMPORTED) {
                List<AccountImport> some = new ArrayList<>();
                for (String account :
                        accounts.subList(first, Math.min(accounts.size(), first + Market.MOST_IMPORTED))) {
                    some.add(new AccountImport(account, Credits.of(100_000), new SpendingRate(rate(random))));
                }
                market.importAccounts(new Mutation("past", "test", "accounts " + first), some);
            }
            for (int epoch = 0; epoch < epochs; epoch++) {
                now += terms.intervalMillis();
                int number = epoch;
                market.rollOver(epochTerms -> closed(number, random, epochTerms.funds()));
                if (epoch % 50 == 0) {
                    market.record(new Mutation("past", "test", "epoch " + epoch), "wait", "the writer keeps up");
                }
            }
        }
    }

    private static long rate(SplittableRandom random) {
        return (1 + random.nextLong(100)) * SLOT_NANOS / 100;
    }

    /** Each account that uses something holds a slot for the whole epoch. */
    ClosedEpoch closed(int epoch, SplittableRandom random, Function<String, Funds> funds) {
        long millis = terms.intervalMillis();
        long price = 0;
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        for (int i = 0; i < accounts.size(); i++) {
            Funds has = funds.apply(accounts.get(i));
            if (random.nextInt(ONE_OF) == 0) {
                long charge = has.rateNanos() * millis / terms.rateUnitMillis();
                String application = String.format(
                        Locale.ROOT, "application_1700000000000_%04d", i * 1_000 + epoch / EPOCHS_OF_APPLICATION);
                price += has.rateNanos();
                bills.add(new ClosedEpoch.Line(
                        accounts.get(i),
                        has.rateNanos(),
                        millis,
                        charge,
                        0,
                        0,
                        has.balanceNanos() - charge,
                        List.of(new ClosedEpoch.ApplicationCharge(
                                application, "job " + i, "user" + i % 50, millis, charge))));
            }
        }
        long slots = accounts.size() * SLOT_NANOS;
        return new ClosedEpoch(millis, price, slots, bills.size() * SLOT_NANOS, bills.size(), bills);
    }
}
