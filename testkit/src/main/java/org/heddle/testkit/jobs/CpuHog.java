// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.util.List;

/** Processes that use all the processor time that they get: ten loops each. */
public final class CpuHog {
    /** What each of them prints when it runs. */
    public static final String UP = "the hog runs";

    /** The loops end with the shell that has started them. */
    private static final String SCRIPT =
            "for i in 1 2 3 4 5 6 7 8 9 10; do (while [ -e /proc/$$ ]; do :; done) & done; echo " + UP + "; wait";

    private CpuHog() {}

    /**
     * For {@code heddle mpiexec}: a hog on each node.
     *
     * @param cpus for which each asks, such as {@code 0.25}
     * @param megabytes of each, so many that a node has room for one
     */
    public static List<String> options(int nodes, String cpus, int megabytes) {
        return List.of(
                "-n", String.valueOf(nodes), "--cpus", cpus, "--mem", String.valueOf(megabytes), "bash", "-c", SCRIPT);
    }
}
