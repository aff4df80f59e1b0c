// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers from which a lower bound can be verified without the search that found it. Tests do so; plan files hold none.
 *
 * @param kind how they prove the bound
 * @param values of {@link Kind#PHASE_PRICES} and {@link Kind#MIX_PRICES}: seconds, one for each job in the order of the
 *     problem; of {@link Kind#DUAL_FEASIBLE}: 16 weights of functions, and the weight of the first capacity rule
 * @param perSlot of {@link Kind#MIX_PRICES}: the price of a slot, as a part of the plan's time; null if only a search
 *     over all mixes shows that the prices are legal
 * @param hostShare of {@link Kind#MIX_PRICES}: the part of a slot that a host counts
 */
public record Certificate(
        Kind kind,
        List<Double> values,
        @Nullable Double perSlot,
        @Nullable Double hostShare) {
    /** How a certificate proves a bound. */
    public enum Kind {
        /** Prices of jobs: the jobs of each phase together cost at most what the phase lasts. */
        PHASE_PRICES,
        /** Prices of jobs: a second of any mix of running jobs does work that costs at most a second. */
        MIX_PRICES,
        /** Weights of dual feasible functions, under which the jobs need more than the cluster has. */
        DUAL_FEASIBLE
    }

    public Certificate {
        values = List.copyOf(values);
    }

    /** A certificate of values alone. */
    public static Certificate of(Kind kind, List<Double> values) {
        return new Certificate(kind, values, null, null);
    }
}
