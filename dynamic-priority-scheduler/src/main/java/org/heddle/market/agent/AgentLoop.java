// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions of a {@link RateStrategy}. The caller calls {@link #step} about twice in each epoch, from
 * one thread. If the job cannot be reached, the rate stays, or falls to what the money allows; if the market cannot be
 * reached, the rate stays. Both are told once. Small changes are not made, because each is a line in the audit.
 */
public final class AgentLoop {
    /** Rates closer to the present one than this part are not set. */
    private static final double CLOSE = 0.1;

    private static final double SAME = 1e-6;
    private static final int MOST_PAST = 2_000;
    private static final long SHORTEST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    private final MarketAccess market;
    private final ProgressSource progress;
    private final RateStrategy strategy;
    private final boolean dryRun;
    private final Consumer<AgentEvent> log;
    private final List<Double> others = new ArrayList<>();

    private boolean began;
    private boolean seen;
    private boolean progressed;
    private boolean reachable = true;
    private boolean ended;
    private double rateBefore;
    private double rateSet = Double.NaN;
    private double spent;
    private long atMillis;
    private long lastEpochMillis;
    private long pauseMillis = 1_000;

    /**
     * @param dryRun whether rates are only told, not set
     * @param log is called for each change and at the end
     */
    public AgentLoop(
            MarketAccess market,
            ProgressSource progress,
            RateStrategy strategy,
            boolean dryRun,
            Consumer<AgentEvent> log) {
        this.market = market;
        this.progress = progress;
        this.strategy = strategy;
        this.dryRun = dryRun;
        this.log = log;
    }

    /** The time until the next step. */
    public long pauseMillis() {
        return pauseMillis;
    }

    /** One round. @return whether the agent goes on */
    public boolean step() {
        if (ended) {
            return false;
        }
        MarketView view;
        try {
            view = begin(market.view());
        } catch (IOException e) {
            unreachable(e);
            return true;
        }
        JobProgress job = null;
        String trouble = "";
        try {
            job = progress.read(view);
        } catch (IOException e) {
            trouble = sentence(e);
        }
        try {
            apply(view, job, trouble);
        } catch (IOException e) {
            unreachable(e);
        }
        return !ended;
    }

    /** Ends the agent before its time and sets the rate that the account had before. */
    public void stop() {
        if (!ended && began) {
            try {
                end(rateBefore, "the agent was stopped");
            } catch (IOException e) {
                log.accept(new AgentEvent(
                        atMillis,
                        AgentEvent.Kind.UNREACHABLE,
                        present(),
                        present(),
                        sentence(e) + "; the rate could not be set back to " + RateText.of(rateBefore)));
            }
        }
        ended = true;
    }

    private MarketView begin(MarketView view) throws IOException {
        if (!began) {
            others.addAll(market.pastOthers());
            rateBefore = view.rate();
            rateSet = view.rate();
            began = true;
        }
        if (view.nextEpochMillis() != lastEpochMillis) {
            lastEpochMillis = view.nextEpochMillis();
            others.add(view.others());
            if (others.size() > MOST_PAST) {
                others.remove(0);
            }
        }
        atMillis = view.nowMillis();
        pauseMillis = Math.max(SHORTEST_PAUSE_MILLIS, Math.min(LONGEST_PAUSE_MILLIS, view.intervalMillis() / 2));
        // Between the end of an epoch and its bill the market shows less than what is spent.
        spent = Math.max(spent, view.spent());
        return view.withSpent(spent);
    }

    private void apply(MarketView view, @Nullable JobProgress job, String trouble) throws IOException {
        double present = dryRun ? present() : view.rate();
        if (!dryRun && Math.abs(view.rate() - rateSet) > SAME * Math.max(1, rateSet)) {
            tell(AgentEvent.Kind.OVERRULED, rateSet, view.rate(), "somebody else set the rate of this account");
            rateSet = view.rate();
        }
        double limit = strategy.limit(view);
        if (job == null) {
            if (!seen && view.nowMillis() > strategy.untilMillis()) {
                end(rateBefore, trouble + ", and its time is over");
                return;
            }
            if (present > limit) {
                set(present, strategy.steady(view), trouble + "; the money that is left allows no higher rate");
            } else if (reachable) {
                tell(AgentEvent.Kind.UNREACHABLE, present, present, trouble + "; the rate stays");
            }
            reachable = false;
            return;
        }
        seen = true;
        if (!reachable) {
            reachable = true;
            tell(AgentEvent.Kind.REACHED_AGAIN, present, present, "market and job can be reached again");
        }
        if (job.isKnown()) {
            progressed = true;
        } else if (progressed && present <= limit) {
            return; // between two stages: the rate stays
        }
        RateDecision decision = strategy.decide(view, job, others);
        switch (decision.then()) {
            case RESTORE -> end(rateBefore, decision.reason());
            case STOP_PAYING -> end(0, decision.reason());
            case CONTINUE -> {
                if (present > limit || Math.abs(decision.rate() - present) > CLOSE * present) {
                    set(present, decision.rate(), decision.reason());
                }
            }
        }
    }

    private double present() {
        return Double.isNaN(rateSet) ? 0 : rateSet;
    }

    private void set(double before, double wanted, String reason) throws IOException {
        double after = RateText.rounded(wanted);
        if (!dryRun) {
            market.setRate(after);
        }
        rateSet = after;
        tell(dryRun ? AgentEvent.Kind.WOULD_SET : AgentEvent.Kind.SET, before, after, reason);
    }

    private void end(double rate, String reason) throws IOException {
        double before = dryRun ? rateBefore : present();
        double left = dryRun ? rateBefore : rate;
        if (before != left) {
            market.setRate(left);
        }
        rateSet = left;
        ended = true;
        tell(AgentEvent.Kind.ENDED, before, left, reason);
    }

    private void unreachable(IOException e) {
        if (reachable) {
            reachable = false;
            tell(AgentEvent.Kind.UNREACHABLE, present(), present(), sentence(e) + "; the rate stays");
        }
    }

    private void tell(AgentEvent.Kind kind, double before, double after, String reason) {
        log.accept(new AgentEvent(atMillis, kind, before, after, reason));
    }

    private static String sentence(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
