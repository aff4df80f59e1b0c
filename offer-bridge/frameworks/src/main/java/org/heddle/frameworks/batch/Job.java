// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * A job in the queue.
 *
 * @param submittedAt ms since 1970
 */
record Job(String id, JobSpec spec, long submittedAt, List<Part> parts) {
    static Job of(String id, JobSpec spec, long now) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < spec.parts(); i++) {
            parts.add(new Part(id, i));
        }
        return new Job(id, spec, now, parts);
    }

    long count(Part.State state) {
        return parts.stream().filter(part -> part.state == state).count();
    }

    @com.fasterxml.jackson.annotation.JsonIgnore
    boolean isOver() {
        return parts.stream().allMatch(part -> part.state.isOver());
    }
}
