// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.util.ArrayList;
import java.util.List;
import org.heddle.whatif.model.Job;
import org.jspecify.annotations.Nullable;

/** What of a past is not replayed, or not as it stands there; each kind is counted and said in one sentence. */
final class Tally {
    private final List<String> otherRemarks = new ArrayList<>();
    private long files;
    private @Nullable String firstFile;
    private long jobs;
    private @Nullable String firstJob;
    private long attempts;
    private long withoutTimes;
    private long cut;
    private long tasks;

    /** A file that is left out; the sentence names it and says why. */
    void file(String sentence) {
        files++;
        if (firstFile == null) {
            firstFile = sentence;
        }
    }

    /** A job in a file with others that is left out; the sentence names it and says why. */
    void job(String sentence) {
        jobs++;
        if (firstJob == null) {
            firstJob = sentence;
        }
    }

    /** Attempts beside the one of their task that is replayed. */
    void attempts(long number) {
        attempts += number;
    }

    /** Attempts whose times cannot be. */
    void withoutTimes(long number) {
        withoutTimes += number;
    }

    void cut(long number) {
        cut += number;
    }

    /** Tasks none of whose attempts has times. */
    void tasks(long number) {
        tasks += number;
    }

    void also(String sentence) {
        otherRemarks.add(sentence);
    }

    /** The first file or job that was left out; null if none was. */
    @Nullable
    String first() {
        return firstFile == null ? firstJob : firstFile;
    }

    List<String> remarks(List<Job> replayed) {
        List<String> remarks = new ArrayList<>();
        if (files > 0) {
            remarks.add(are(files, "file") + " left out; the first: " + firstFile);
        }
        if (jobs > 0) {
            remarks.add(are(jobs, "job") + " left out; the first: " + firstJob);
        }
        remarks.addAll(otherRemarks);
        long failed = replayed.stream().filter(job -> !job.succeeded()).count();
        if (failed > 0) {
            remarks.add(
                    failed + " of " + replayed.size()
                            + " jobs failed or were killed in the past; the replay runs what they ran, and counts them as ended");
        }
        if (attempts > 0) {
            remarks.add(are(attempts, "attempt") + " not replayed: they did not succeed, or were not needed");
        }
        if (withoutTimes > 0) {
            remarks.add(are(withoutTimes, "attempt") + " left out: without a start and an end within their job");
        }
        if (tasks > 0) {
            remarks.add(are(tasks, "task") + " left out: without an attempt that ran");
        }
        if (cut > 0) {
            remarks.add(are(cut, "attempt") + " cut to the time of their job: a clock was wrong");
        }
        return remarks;
    }

    private static String are(long number, String what) {
        return number + " " + what + (number == 1 ? " is" : "s are");
    }
}
