// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.List;

/**
 * What the checker found.
 *
 * @param violations empty if the plan is accepted
 * @param makespan recomputed from models, widths and roles; seconds
 * @param areaBound recomputed; seconds
 */
public record CheckResult(List<Violation> violations, double makespan, double areaBound) {
    public CheckResult {
        violations = List.copyOf(violations);
    }

    /** True if no rule is broken. */
    public boolean accepted() {
        return violations.isEmpty();
    }
}
