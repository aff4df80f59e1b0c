// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.List;
import org.heddle.packing.model.RuntimeModel;

/**
 * A fitted model with its errors.
 *
 * @param kind power, ernest or waves
 * @param model the fitted curve
 * @param coefficients with confidence intervals
 * @param leaveOneOutError mean relative error in predicting each point from the others; NaN with too few points
 * @param fewest smallest n observed
 * @param most largest n observed
 */
public record FittedModel(
        String kind,
        RuntimeModel model,
        List<Coefficient> coefficients,
        double leaveOneOutError,
        int fewest,
        int most) {
    /**
     * @param low lower end of the 90 % confidence interval; NaN where the fit gives none
     * @param high its upper end
     */
    public record Coefficient(String name, double value, double low, double high) {}

    public FittedModel {
        coefficients = List.copyOf(coefficients);
    }

    /** Whether a prediction at n lies beyond what was observed. */
    public boolean extrapolates(int n) {
        return n < fewest || n > most;
    }
}
