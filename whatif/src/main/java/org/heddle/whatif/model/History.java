// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

import java.util.Comparator;
import java.util.List;

/**
 * A cluster's past.
 *
 * @param jobs by time of submission, at least one
 * @param nodes the cluster's nodes as far as the past shows them; empty if it does not tell
 * @param remarks what the source does not tell, one sentence each
 */
public record History(List<Job> jobs, List<Size> nodes, List<String> remarks) {
    /** @throws IllegalArgumentException if there is no job */
    public History {
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("a history without jobs cannot be replayed");
        }
        jobs = jobs.stream()
                .sorted(Comparator.comparingLong(Job::submittedMillis).thenComparing(Job::id))
                .toList();
        nodes = List.copyOf(nodes);
        remarks = List.copyOf(remarks);
    }

    /** A past that tells nothing of its cluster. */
    public History(List<Job> jobs, List<String> remarks) {
        this(jobs, List.of(), remarks);
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
