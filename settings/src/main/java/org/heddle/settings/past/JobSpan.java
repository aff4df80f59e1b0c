// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.past;

import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The time of a job of the past, by which the times of its attempts are judged: clocks of nodes are wrong now and then,
 * by years too, and some histories have 0 where they do not know. In milliseconds since 1970, or since any other
 * moment.
 */
public final class JobSpan {
    /** The year 10,000: a time after it comes from no clock. */
    private static final long NEVER = 253_402_300_800_000L;

    /** A job ends this long after its last attempt at most. */
    private static final long COMMIT_MILLIS = 24 * 60 * 60 * 1_000L;

    /** Clocks of one cluster differ by this much at most; what is further off is no time of this job. */
    private static final long SKEW_MILLIS = 60 * 60 * 1_000L;

    private final long submittedMillis;
    private final long finishedMillis;

    private JobSpan(long submittedMillis, long finishedMillis) {
        this.submittedMillis = submittedMillis;
        this.finishedMillis = finishedMillis;
    }

    /** The part of an attempt's time that lies within the job. */
    public static final class Part {
        private final long startMillis;
        private final long endMillis;
        private final boolean cut;

        private Part(long startMillis, long endMillis, boolean cut) {
            this.startMillis = startMillis;
            this.endMillis = endMillis;
            this.cut = cut;
        }

        public long startMillis() {
            return startMillis;
        }

        public long endMillis() {
            return endMillis;
        }

        /** Whether the attempt says that it ran outside of its job, too. */
        public boolean isCut() {
            return cut;
        }
    }

    public static boolean isTime(long millis) {
        return millis >= 0 && millis < NEVER;
    }

    /**
     * The job's own end, unless it is none, or a day after all attempts; then the end of the last attempt.
     *
     * @param ends of all attempts; what is no time does not count
     */
    public static JobSpan of(long submittedMillis, long finishedMillis, LongStream ends) {
        long last = ends.filter(JobSpan::isTime).max().orElse(submittedMillis);
        long latest = Math.max(last, submittedMillis);
        boolean isLikely =
                isTime(finishedMillis) && finishedMillis >= submittedMillis && finishedMillis <= latest + COMMIT_MILLIS;
        return new JobSpan(submittedMillis, isLikely ? finishedMillis : latest);
    }

    public long finishedMillis() {
        return finishedMillis;
    }

    /** An attempt within this job; empty if its times cannot be ones of this job. */
    public Optional<Part> within(long startMillis, long endMillis) {
        if (!isTime(startMillis)
                || endMillis < startMillis
                || startMillis < submittedMillis - SKEW_MILLIS
                || startMillis > finishedMillis
                || endMillis < submittedMillis) {
            return Optional.empty();
        }
        return Optional.of(new Part(
                Math.max(startMillis, submittedMillis),
                Math.min(endMillis, finishedMillis),
                startMillis < submittedMillis || endMillis > finishedMillis));
    }

    /** When a reduce began to work: one that runs while maps run waits for the last of them. */
    public static long reduceStart(long startMillis, long endMillis, long mapsEndMillis) {
        return mapsEndMillis < endMillis ? Math.max(mapsEndMillis, startMillis) : startMillis;
    }

    /** The nearest time that lies within the job. */
    public long nearest(long millis) {
        return Math.min(Math.max(millis, submittedMillis), finishedMillis);
    }
}
