// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Locale;

/** What a plan may change for each job. */
public enum PlanKind {
    /** Phases one after the other; a job runs in exactly one, from its start. The paper's schedules. */
    PHASED,
    /** One phase in which each job has its own start and a VM count that stays. */
    NONPHASED,
    /** Phases at whose borders a running job may change its VM count and role or pause. */
    MALLEABLE;

    /** Name in files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
