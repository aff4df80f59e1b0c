// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/** Queues of a scheduler, one for each job of a run, all below one parent. */
public interface JobQueues {
    /** The path of a queue. */
    String path(String name);

    /**
     * Makes queues, and changes the weights of those that exist; all or nothing.
     *
     * @param weights by name
     * @throws IOException one sentence
     */
    void set(Map<String, Integer> weights) throws IOException;

    /**
     * Removes those of these queues that exist.
     *
     * @throws IOException one sentence, for example that an application still runs in one of them
     */
    void remove(Collection<String> names) throws IOException;
}
