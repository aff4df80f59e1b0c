// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to start a job, in the same way as with {@code hadoop jar}.
 *
 * @param jar path of the jar
 * @param main class whose {@code main} submits the job and returns when it has ended; where the jar's
 *     manifest names a class, this is that class's first argument (the program of an examples jar); null if
 *     neither is needed
 * @param args its arguments
 * @param conf configuration properties of this job
 */
public record JobCommand(String jar, @Nullable String main, List<String> args, Map<String, String> conf) {
    public JobCommand {
        args = List.copyOf(args);
        conf = Map.copyOf(conf);
    }
}
