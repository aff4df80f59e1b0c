// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.model.Plan;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.replay.Replay;

/** The borders of a plan on a replay's clock, as {@link Borders} has them on a cluster, whose package this is. */
public final class PlanSteering implements Replay.Steering {
    /** Takes the weights of the jobs' queues. */
    @FunctionalInterface
    public interface Queues {
        void set(Map<String, Integer> weights) throws IOException;
    }

    private final PhaseWeights weights;
    private final Queues queues;
    private int phase;
    private long began;
    private long now;

    /** Sets the first weights. */
    public PlanSteering(Plan plan, long beginMillis, Queues queues) throws IOException {
        weights = new PhaseWeights(plan);
        this.queues = queues;
        began = beginMillis;
        now = beginMillis;
        queues.set(weights.in(0));
    }

    private double seconds() {
        return (now - began) / 1_000.0;
    }

    @Override
    public boolean step(long nowMillis, Set<String> ended) {
        now = nowMillis;
        int before = phase;
        while (phase < weights.phases() - 1 && weights.isOver(phase, seconds(), ended::contains)) {
            phase++;
            began = now;
        }
        if (phase == before) {
            return false;
        }
        try {
            queues.set(weights.in(phase));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    @Override
    public boolean admits(Job job) {
        return weights.admits(job.id(), phase, seconds());
    }
}
