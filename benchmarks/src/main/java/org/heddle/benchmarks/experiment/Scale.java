// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.Locale;

/** How much a run of the evaluation measures. */
public enum Scale {
    /** Virtual time and pure simulation: all experiments together take minutes, and the machine need not be quiet. */
    QUICK,
    /** Everything, with more seeds and repetitions: a night on a quiet machine. */
    FULL;

    /** The name as an option of the command has it, without the dashes. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
