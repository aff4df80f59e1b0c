// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Problem;

/** The workloads of the paper's Table 1. */
final class PaperProblems {
    /** What must be said wherever these problems are used: the argument is circular. */
    static final String CHOSEN =
            "The paper prints no parameters of its jobs, so ours were chosen such that the savings fall"
                    + " into the published ranges: the figures show that the planner can find such savings and do not confirm the"
                    + " paper's";

    /** What the paper's plans save, as it prints it. */
    static final List<Published> SAVINGS = List.of(
            Published.of("W1 to W3 on 9 machines save 24 to 33 %, pairs less", "section 6, Figure 2"),
            Published.of(
                    "W4 to W6 on 10 machines save 16 to 30 %, and pairs are the best plans", "section 6, Figure 3"));

    private PaperProblems() {}

    /**
     * One of them.
     *
     * @param root directory of the source tree or the distribution
     * @param name W1 to W6 in lower case
     */
    static Problem read(Path root, String name) {
        Path file = root.resolve("conf-samples/packing").resolve(name + ".json");
        return ProblemFile.read(file, InputStream.nullInputStream()).problem();
    }
}
