// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.market.agent.JobProgress;
import org.heddle.market.agent.MarketAccess;
import org.heddle.market.agent.MarketView;
import org.heddle.market.agent.ProgressSource;
import org.heddle.market.agent.RateText;
import org.heddle.market.model.terms.MarketTerms;

/** The own account of a {@link PayingCrowd} and its job, as an agent sees them. */
final class SimulatedAccess implements MarketAccess, ProgressSource {
    private final PayingCrowd crowd;
    private final MarketTerms terms;
    private final double spentBefore;
    private final Simulator.Job job;
    private final long tasks;
    private final double guessMillis;
    private final int masterSlots;
    private final long trueMillis;
    private final long submitted;
    /** Sum of the others' rates in each epoch since the job was submitted, with the start of the epoch. */
    final List<double[]> path = new ArrayList<>();

    private final List<Double> past;
    private double rate;
    private double effective;
    private double workDone;
    private long countedMillis;

    /**
     * @param guessMillis expected length of a task, as long as none has ended
     * @param masterSlots 1 if the job has an ApplicationMaster, else 0
     */
    SimulatedAccess(
            PayingCrowd crowd,
            MarketTerms terms,
            List<Double> past,
            Simulator.Job job,
            long tasks,
            long trueMillis,
            double guessMillis,
            int masterSlots) {
        this.masterSlots = masterSlots;
        this.trueMillis = trueMillis;
        this.crowd = crowd;
        this.terms = terms;
        this.past = past;
        this.job = job;
        this.tasks = tasks;
        this.guessMillis = guessMillis;
        this.spentBefore = crowd.spent();
        this.submitted = crowd.sim().nowMillis();
        this.countedMillis = submitted;
        crowd.sim().observe(closed -> epoch());
        count();
    }

    private void epoch() {
        // Called when the old epoch has been billed and the new one begins with the rates that were set.
        effective = crowd.sim().running(PayingCrowd.OWN) > 0 || job.endMillis() < 0 ? rate : 0;
        double others = Math.max(0, crowd.sim().meter().division().price() / 1e9 - effective);
        path.add(new double[] {crowd.sim().nowMillis(), others});
    }

    @Override
    public MarketView view() {
        Simulator sim = crowd.sim();
        long start = sim.meter().startMillis();
        double price = sim.meter().division().price() / 1e9;
        double used = sim.running(PayingCrowd.OWN);
        return new MarketView(
                sim.nowMillis(),
                start + terms.intervalMillis(),
                terms.intervalMillis(),
                terms.rateUnitMillis(),
                crowd.slots(),
                Math.max(0, price - effective),
                rate,
                effective,
                used,
                used,
                used + 1,
                PayingCrowd.BUDGET - crowd.spent(),
                spent(),
                effective * crowd.slots() * (sim.nowMillis() - start) / terms.rateUnitMillis() * ownShare(price));
    }

    private double ownShare(double price) {
        return price == 0 ? 0 : effective / price;
    }

    double spent() {
        return crowd.spent() - spentBefore;
    }

    @Override
    public List<Double> pastOthers() {
        return past;
    }

    @Override
    public void setRate(double rate) {
        String text = RateText.exact(rate);
        this.rate = Double.parseDouble(text);
        crowd.sim().setSpending(PayingCrowd.OWN, text);
    }

    private void count() {
        long now = crowd.sim().nowMillis();
        workDone += Math.max(0, crowd.sim().running(PayingCrowd.OWN) - masterSlots) * (now - countedMillis);
        countedMillis = now;
        if (job.endMillis() < 0) {
            crowd.sim().at(now + terms.intervalMillis() / 20, this::count);
        }
    }

    /** As a master tells it: the length of tasks is known when the first have ended, and the work from what ran. */
    @Override
    public JobProgress read(MarketView market) {
        boolean known = crowd.sim().nowMillis() - submitted > trueMillis + terms.intervalMillis();
        double mean = known ? trueMillis : guessMillis;
        double done = Math.min((double) tasks, workDone / trueMillis);
        return new JobProgress(
                job.endMillis() >= 0,
                (tasks - done) * mean,
                tasks - Math.floor(done),
                masterSlots,
                mean,
                String.format(Locale.ROOT, "%.0f of %d tasks have ended", done, tasks));
    }
}
