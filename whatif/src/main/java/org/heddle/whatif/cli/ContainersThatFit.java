// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.read.HistoryException;

/**
 * Leaves out the jobs of a past that no scheduler could run on a cluster, because a container of theirs fits nowhere.
 */
final class ContainersThatFit {
    private ContainersThatFit() {}

    /**
     * @param largest the largest container that the ResourceManager allows
     * @throws HistoryException if no job is left
     */
    static History of(History past, List<Size> nodes, Size largest) throws HistoryException {
        List<Job> jobs = new ArrayList<>();
        String first = null;
        for (Job job : past.jobs()) {
            Optional<String> problem = job.sizes()
                    .flatMap(size -> problem(size, nodes, largest).stream())
                    .findFirst();
            if (problem.isEmpty()) {
                jobs.add(job);
            } else if (first == null) {
                first = job.id() + problem.get();
            }
        }
        if (first == null) {
            return past;
        }
        if (jobs.isEmpty()) {
            throw new HistoryException(first);
        }
        int leftOut = past.jobs().size() - jobs.size();
        List<String> remarks = new ArrayList<>(past.remarks());
        remarks.add(leftOut + (leftOut == 1 ? " job is" : " jobs are")
                + " left out, too large for this cluster; the first: " + first);
        return new History(jobs, past.nodes(), remarks);
    }

    private static Optional<String> problem(Size size, List<Size> nodes, Size largest) {
        String needs = " needs a container of " + size + ", and ";
        if (nodes.stream().noneMatch(node -> node.holds(size))) {
            Size node = Collections.max(
                    nodes, Comparator.comparingLong(Size::memoryMb).thenComparingInt(Size::vcores));
            return Optional.of(needs + "the largest node has " + node + "; give larger nodes with --node");
        }
        if (largest.holds(size)) {
            return Optional.empty();
        }
        return Optional.of(needs + "the yarn-site.xml allows " + largest
                + "; raise yarn.scheduler.maximum-allocation-mb and -vcores there");
    }
}
