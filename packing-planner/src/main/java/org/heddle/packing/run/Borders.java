// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.packing.model.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The borders of a plan while it runs by weights: at each one the queues of its jobs get other weights. The journal
 * says which phase has begun, and each runner sets the weights anew, so that a kill of a runner, or of a
 * ResourceManager that loses its queues, costs no more than the time until the next runner.
 */
final class Borders {
    private final PhaseWeights weights;
    private final JobQueues queues;
    private final String runId;
    private final RunJournal journal;
    private final int number;
    private final LongSupplier dates;
    private final Consumer<String> waits;
    /** -1 before the first. */
    private int phase;

    private long began;
    /** The phase whose weights are in force; -1 for none. */
    private int inForce = -1;

    /**
     * @param number of the plan in its run
     * @param dates compared with those of the journal
     * @param waits gets a sentence when weights cannot be changed now
     */
    Borders(
            Plan plan,
            JobQueues queues,
            String runId,
            RunJournal journal,
            int number,
            LongSupplier dates,
            Consumer<String> waits) {
        weights = new PhaseWeights(plan);
        this.queues = queues;
        this.runId = runId;
        this.journal = journal;
        this.number = number;
        this.dates = dates;
        this.waits = waits;
        RunJournal.@Nullable Border last = journal.border(number);
        phase = last == null ? -1 : last.phase();
        began = last == null ? 0 : last.millis();
    }

    /** Name of the queue of a job. */
    static String queue(String runId, String job) {
        return RunTag.job(runId, job).replace('.', '_');
    }

    /** Whether the job may be submitted now. */
    boolean admits(String job) {
        return inForce >= 0 && weights.admits(job, phase, seconds());
    }

    /** What a job needs to run in its queue. */
    Map<String, String> properties(String job) {
        return Map.of(MRJobConfig.QUEUE_NAME, queues.path(queue(runId, job)));
    }

    /**
     * Begins the phases that are due. If the scheduler cannot be changed now, its weights stay until the next call.
     *
     * @throws IOException if they cannot be set at the start, when no job of this runner needs them yet
     */
    void pass(Predicate<String> hasEnded) throws IOException {
        while (phase < 0 || (phase < weights.phases() - 1 && weights.isOver(phase, seconds(), hasEnded))) {
            phase++;
            began = dates.getAsLong();
            journal.noteBorder(number, new RunJournal.Border(phase, began));
        }
        if (inForce == phase) {
            return;
        }
        Map<String, Integer> named = new LinkedHashMap<>();
        weights.in(phase).forEach((job, weight) -> named.put(queue(runId, job), weight));
        try {
            queues.set(named);
            inForce = phase;
        } catch (IOException e) {
            if (inForce < 0) {
                throw e;
            }
            waits.accept(String.valueOf(e.getMessage()));
        }
    }

    private double seconds() {
        return Math.max(0, dates.getAsLong() - began) / 1000.0;
    }
}
