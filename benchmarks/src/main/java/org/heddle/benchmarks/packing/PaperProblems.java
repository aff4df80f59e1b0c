// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.io.InputStream;
import java.nio.file.Path;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Problem;

/** The workloads of the paper's Table 1. */
final class PaperProblems {
    /** What must be said wherever these problems are used: the argument is circular. */
    static final String CHOSEN =
            "The paper prints no parameters of its jobs, so ours were chosen such that the savings fall"
                    + " into the published ranges: the figures show that the planner can find such savings and do not confirm the"
                    + " paper's";

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
