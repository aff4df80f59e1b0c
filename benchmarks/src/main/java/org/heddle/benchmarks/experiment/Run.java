// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run of an experiment.
 *
 * @param scale how much to measure
 * @param seeds one for each repetition; the same seeds give the same simulations
 * @param root the directory of the source tree, or of the distribution; absolute, whatever is given
 * @param scratch a directory for files that nobody keeps; absolute, so that other programs may be told of files in it
 * @param progress receives what the experiment does now, in a few words
 */
public record Run(Scale scale, List<Long> seeds, Path root, Path scratch, Consumer<String> progress) {
    public Run {
        seeds = List.copyOf(seeds);
        root = root.toAbsolutePath().normalize();
        scratch = scratch.toAbsolutePath().normalize();
    }

    /** Says what the experiment does now. */
    public void tell(String what) {
        progress.accept(what);
    }
}
