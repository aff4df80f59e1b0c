// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

import java.util.Comparator;
import java.util.List;

/**
 * A cluster's past.
 *
 * @param jobs by time of submission, at least one
 * @param remarks what the source does not tell, one sentence each
 */
public record History(List<Job> jobs, List<String> remarks) {
    /** @throws IllegalArgumentException if there is no job */
    public History {
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("a history without jobs cannot be replayed");
        }
        jobs = jobs.stream()
                .sorted(Comparator.comparingLong(Job::submittedMillis).thenComparing(Job::id))
                .toList();
        remarks = List.copyOf(remarks);
    }

    public long tasks() {
        return jobs.stream().mapToLong(Job::tasks).sum();
    }

    /** When the first job was submitted, in milliseconds since 1970. */
    public long beginMillis() {
        return jobs.get(0).submittedMillis();
    }

    /** When the last job had ended; the last submission if the source tells no ends. */
    public long endMillis() {
        return jobs.stream()
                .mapToLong(job -> Math.max(job.submittedMillis(), job.finishedMillis()))
                .max()
                .orElseThrow();
    }
}
