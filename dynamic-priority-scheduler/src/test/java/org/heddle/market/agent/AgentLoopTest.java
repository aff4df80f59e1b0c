// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.market.agent.AgentEvent.Kind;
import org.heddle.market.quote.SlotPrice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an agent does when its job ends, when nothing answers, and when somebody else sets the rate. */
@Tag("pure")
class AgentLoopTest {
    private static final long HOUR = 3_600_000;

    /** An account with 100 slots, whose others pay 10; a minute passes at each view. */
    private static final class Scripted implements MarketAccess, ProgressSource {
        double rate = 2;
        double charged;
        double remainingHours = 50;
        boolean marketFails;
        boolean jobFails;
        boolean ended;
        long now;
        double others = 10;
        boolean found = true;
        List<Double> past = List.of();
        final List<AgentEvent> events = new ArrayList<>();

        @Override
        public MarketView view() throws IOException {
            if (marketFails) {
                throw new IOException("http://rm:8088 cannot be reached");
            }
            now += 60_000;
            return new MarketView(
                    now, now + 60_000, 60_000, HOUR, 100, others, rate, rate, 10, 10, 50, 1_000, charged, 0);
        }

        @Override
        public List<Double> pastOthers() {
            return past;
        }

        @Override
        public void setRate(double set) {
            rate = Double.parseDouble(RateText.exact(set));
        }

        @Override
        public JobProgress read(MarketView market) throws IOException {
            if (jobFails) {
                throw new IOException("application_1_0001 does not answer");
            }
            if (!found) {
                throw new IOException("there is no application with the tag x in the queue alice yet");
            }
            if (Double.isNaN(remainingHours)) {
                return JobProgress.waiting(50, "the master waits");
            }
            return new JobProgress(ended, remainingHours * HOUR, 50, 0, 60_000, "script");
        }

        AgentLoop loop(RateStrategy strategy, boolean dryRun) {
            return new AgentLoop(this, this, strategy, dryRun, events::add);
        }

        List<Kind> kinds() {
            return events.stream().map(AgentEvent::kind).toList();
        }
    }

    private static RateStrategy inHours(double hours) {
        return new DeadlineStrategy((long) (hours * HOUR), Double.POSITIVE_INFINITY, 1_000_000);
    }

    @Test
    void theRateBuysTheWorkInTheTimeThatIsLeft() {
        Scripted script = new Scripted();
        script.loop(inHours(4), false).step();
        // 50 slot-hours, of which some run before the rate applies, and 8 % in a little less than 4 hours: 13.6 of 100
        // slots while others pay 10.
        assertThat(script.rate).isCloseTo(SlotPrice.rateFor(13.63, 10, 100), within(0.05));
        assertThat(script.events.get(0).reason())
                .isEqualTo("180000 slot-seconds are left (script), which need 13.6 slots for 14220 s; others pay 10");
    }

    @Test
    void theRateIsSetBackWhenTheJobHasEndedAndWhenTheAgentIsStopped() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(inHours(1), false);
        assertThat(loop.step()).isTrue();
        assertThat(script.rate).isGreaterThan(5);
        script.ended = true;
        assertThat(loop.step()).isFalse();
        assertThat(script.rate).isEqualTo(2);
        assertThat(loop.step()).isFalse();

        Scripted other = new Scripted();
        other.rate = 1.234567891;
        AgentLoop stopped = other.loop(inHours(1), false);
        stopped.step();
        stopped.step();
        stopped.stop();
        assertThat(other.rate).isEqualTo(1.234567891);
        assertThat(other.kinds()).containsExactly(Kind.SET, Kind.ENDED);
    }

    @Test
    void aDryRunTellsAndSetsNothing() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(inHours(1), true);
        loop.step();
        loop.step();
        loop.stop();
        assertThat(script.rate).isEqualTo(2);
        assertThat(script.kinds()).containsExactly(Kind.WOULD_SET, Kind.ENDED);
        AgentEvent end = script.events.get(1);
        assertThat(List.of(end.before(), end.after()))
                .as("the rate that the account has")
                .containsExactly(2.0, 2.0);
    }

    @Test
    void whileNothingAnswersTheRateStaysAndThatIsToldOnce() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(inHours(1), false);
        loop.step();
        double set = script.rate;
        script.marketFails = true;
        assertThat(loop.step()).isTrue();
        assertThat(loop.step()).isTrue();
        script.marketFails = false;
        script.jobFails = true;
        loop.step();
        assertThat(script.rate).isEqualTo(set);
        script.jobFails = false;
        loop.step();
        assertThat(script.kinds()).containsExactly(Kind.SET, Kind.UNREACHABLE, Kind.REACHED_AGAIN);
        assertThat(script.events.get(1).reason()).isEqualTo("http://rm:8088 cannot be reached; the rate stays");
    }

    @Test
    void withoutAnAnswerOfTheJobTheMoneyStillLimitsTheRate() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(new BudgetStrategy(20, 0, 1_000_000), false);
        loop.step();
        script.jobFails = true;
        // The rest of this epoch may cost 1.67 per unit of the rate on 100 slots.
        script.charged = 20 - script.rate * 100 / 60 - 0.01;
        loop.step();
        assertThat(script.rate).isLessThan(0.01);
        assertThat(script.events.get(1).reason())
                .isEqualTo("application_1_0001 does not answer; the money that is left allows no higher rate");
    }

    @Test
    void aSumThatIsSpentEndsThePaying() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(new BudgetStrategy(20, 0, 1_000_000), false);
        loop.step();
        script.charged = 19.99;
        assertThat(loop.step()).isFalse();
        assertThat(script.rate).isZero();
        assertThat(script.events.get(1).reason()).isEqualTo("19.99 of 20 credits are spent");
    }

    /** An account that uses 10 of 100 slots, billed after each minute, and whose job is always about to end. */
    private static final class NearItsEnd implements MarketAccess {
        double rate;
        double effective;
        double charged;
        long now;

        @Override
        public MarketView view() {
            long sinceEpoch = now % 60_000;
            double accrued = effective * 10 * sinceEpoch / HOUR;
            return new MarketView(
                    now,
                    now - sinceEpoch + 60_000,
                    60_000,
                    HOUR,
                    100,
                    10,
                    rate,
                    effective,
                    10,
                    10,
                    50,
                    1_000,
                    charged,
                    accrued);
        }

        @Override
        public List<Double> pastOthers() {
            return List.of();
        }

        @Override
        public void setRate(double set) {
            rate = set;
        }

        void halfAMinute() {
            now += 30_000;
            if (now % 60_000 == 0) {
                charged += effective * 10 * 60_000 / HOUR;
                effective = rate;
            }
        }
    }

    /** At each call the money that is left allows another rate: it falls when a fifth of the rest is spent. */
    @Test
    void nearTheEndOfTheSumTheRateFallsInSteps() {
        NearItsEnd account = new NearItsEnd();
        List<AgentEvent> events = new ArrayList<>();
        AgentLoop loop = new AgentLoop(
                account,
                market -> new JobProgress(false, 1, 1, 0, 0, "script"),
                new BudgetStrategy(20, 0, 1_000_000),
                false,
                events::add);
        for (int step = 0; step < 200 && loop.step(); step++) {
            account.halfAMinute();
        }
        assertThat(account.charged).isBetween(19.5, 20.0);
        assertThat(events.size()).as("changes in 200 calls").isBetween(10, 30);
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).after()).isLessThan(events.get(i - 1).after());
        }
    }

    @Test
    void aRateThatSomebodyElseSetIsToldAndReplaced() {
        Scripted script = new Scripted();
        AgentLoop loop = script.loop(inHours(1), false);
        loop.step();
        script.rate = 77;
        loop.step();
        assertThat(script.kinds()).containsExactly(Kind.SET, Kind.OVERRULED, Kind.SET);
        assertThat(script.rate).isLessThan(20);
    }

    @Test
    void aCostLimitHoldsTheRateDown() {
        Scripted script = new Scripted();
        script.loop(new DeadlineStrategy(HOUR, 5, 1_000_000), false).step();
        // 50 slot-hours and what runs for at most 5 credits.
        assertThat(script.rate).isLessThanOrEqualTo(0.1);
        assertThat(script.events.get(0).reason()).endsWith("; the cost limit of 5 allows no higher rate");
    }

    @Test
    void ratesAreWrittenAsTheMarketTakesThem() {
        assertThat(RateText.of(0)).isEqualTo("0");
        assertThat(RateText.of(1234567.891)).isEqualTo("1234560");
        assertThat(RateText.of(0.000123456789)).isEqualTo("0.000123456");
        assertThat(RateText.of(1e-12)).isEqualTo("0");
        assertThat(RateText.exact(1.234567891)).isEqualTo("1.234567891");
        assertThat(RateText.exact(1e6 / 3)).isEqualTo("333333.333333333");
    }

    /** Rate 0 is not the cheapest one: its jobs wait behind those of all who came first. */
    @Test
    void whereNobodyPaysTheLeastRateIsAboveZero() {
        Scripted script = new Scripted();
        script.rate = 0;
        script.others = 0;
        AgentLoop loop = script.loop(inHours(4), false);
        loop.step();
        assertThat(script.rate).isEqualTo(1e-6);
        for (int i = 0; i < 6; i++) {
            loop.step();
        }
        script.others = 10;
        for (int i = 0; i < 6; i++) {
            loop.step();
        }
        assertThat(script.rate).as("when others have come").isGreaterThan(1);
        script.others = 0;
        for (int i = 0; i < 20; i++) {
            loop.step();
        }
        assertThat(script.rate).as("when the others have stopped").isPositive().isLessThan(1e-3);

        Scripted budget = new Scripted();
        budget.rate = 0;
        budget.others = 0;
        budget.loop(new BudgetStrategy(20, 4 * HOUR, 1_000_000), false).step();
        assertThat(budget.rate).isPositive();
    }

    @Test
    void aJobWithoutProgressGetsItsFirstSlotsAndKeepsItsRateBetweenStages() {
        for (RateStrategy strategy : List.of(inHours(4), new BudgetStrategy(200, 0, 1_000_000))) {
            Scripted script = new Scripted();
            script.rate = 0;
            script.remainingHours = Double.NaN;
            AgentLoop loop = script.loop(strategy, false);
            loop.step();
            assertThat(script.rate).as("a tenth of the cluster").isCloseTo(SlotPrice.rateFor(10, 10, 100), within(0.3));
            assertThat(script.events.get(0).reason()).contains("the master waits");
            script.remainingHours = 50;
            loop.step();
            double known = script.rate;
            script.remainingHours = Double.NaN;
            loop.step();
            assertThat(script.rate).isEqualTo(known);
        }
    }

    @Test
    void aStepOfTheOthersRatesIsSeenAsOne() {
        Scripted average = new Scripted();
        average.past = Collections.nCopies(500, 1.0);
        average.loop(inHours(4), false).step();
        assertThat(average.rate).as("it waits for the old price").isLessThan(0.5);

        Scripted script = new Scripted();
        script.past = Stream.concat(Collections.nCopies(500, 1.0).stream(), Collections.nCopies(5, 10.0).stream())
                .toList();
        script.loop(inHours(4), false).step();
        assertThat(script.rate).isCloseTo(SlotPrice.rateFor(13.63, 10, 100), within(0.05));
        assertThat(Bids.sinceTheLastStep(List.of(1.0, 2.0, 1.5, 3.0, 2.0, 4.0, 1.0, 3.0)))
                .as("no step")
                .hasSize(8);
        assertThat(Bids.sinceTheLastStep(List.of(8.0, 9.0, 8.0, 9.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
                .as("the others stop")
                .hasSize(5);
    }

    @Test
    void itDoesNotWaitForAJobBeyondItsTime() {
        Scripted script = new Scripted();
        script.found = false;
        AgentLoop loop = script.loop(inHours(0.05), false);
        assertThat(loop.step()).isTrue();
        assertThat(script.events.get(0).reason())
                .isEqualTo("there is no application with the tag x in the queue alice yet; the rate stays");
        loop.step();
        loop.step();
        assertThat(loop.step()).isFalse();
        assertThat(script.events.get(1).reason())
                .isEqualTo("there is no application with the tag x in the queue alice yet, and its time is over");
    }
}
