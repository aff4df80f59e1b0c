// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.Locale;
import java.util.Random;
import org.heddle.market.model.terms.MarketTerms;

/**
 * A simulated cluster in which some accounts always have work and change their rates at every epoch, each about a level
 * of its own; and one account {@link #OWN} whose jobs are the subject of a test. Everything follows from the seed.
 */
final class PayingCrowd {
    static final String OWN = "own";
    static final double BUDGET = 1e9;

    private final Random random;
    private final Simulator sim;
    private final MarketTerms terms;
    private final int slots;
    private final double[] level;
    private final double[] deviation;
    private final double restlessness;
    private final double memory;
    private double factor = 1;

    PayingCrowd(long seed, MarketTerms terms) {
        this.random = new Random(seed);
        this.terms = terms;
        this.slots = 20 + random.nextInt(60);
        this.sim = new Simulator(terms, slots);
        int others = 2 + random.nextInt(6);
        this.level = new double[others];
        this.deviation = new double[others];
        this.restlessness = 0.02 + 0.2 * random.nextDouble();
        this.memory = 0.8 + 0.18 * random.nextDouble();
        for (int i = 0; i < others; i++) {
            level[i] = Math.exp(random.nextGaussian());
            sim.queue("other" + i, rate(level[i]), "1000000000");
            long task = (long) (terms.intervalMillis() * (0.2 + 2 * random.nextDouble()));
            for (int job = 0; job < 40; job++) {
                sim.submit("other" + i, 20_000, task);
            }
        }
        sim.queue(OWN, "0", "1000000000");
        sim.at(1, this::move);
    }

    private void move() {
        for (int i = 0; i < level.length; i++) {
            deviation[i] = memory * deviation[i] + restlessness * random.nextGaussian();
            sim.setSpending("other" + i, rate(factor * level[i] * Math.exp(deviation[i])));
        }
        sim.at(sim.nowMillis() + terms.intervalMillis(), this::move);
    }

    /** From the next epoch but one on, the others pay so many times what they paid; 0 if they stop paying. */
    void times(double nextFactor) {
        factor = nextFactor;
    }

    static String rate(double rate) {
        return String.format(Locale.ROOT, "%.9f", rate);
    }

    Simulator sim() {
        return sim;
    }

    Random random() {
        return random;
    }

    int slots() {
        return slots;
    }

    /** Sum of the others' rates at their usual level. */
    double usual() {
        double sum = 0;
        for (double one : level) {
            sum += one;
        }
        return sum;
    }

    /** Credits that the own account has spent. */
    double spent() {
        return BUDGET - sim.balance(OWN).nanos() / 1e9;
    }

    double uniform(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }
}
