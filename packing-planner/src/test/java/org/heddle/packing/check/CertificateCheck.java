// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.PlanKind;

/** Verifies the certificates of lower bounds, from the problem alone and without code of the planners. */
final class CertificateCheck {
    private final BoundTimes times;

    CertificateCheck(BoundTimes times) {
        this.times = times;
    }

    /**
     * What a certificate proves.
     *
     * @param kind of the plan; prices of phases say nothing about plans without phases, and so on
     * @param claim the bound that is of interest, seconds
     * @return seconds that no plan of this kind can beat, 0 if the certificate proves nothing; empty if {@code
     *     mustStop} returned true before
     */
    OptionalDouble seconds(Certificate certificate, PlanKind kind, double claim, BooleanSupplier mustStop) {
        if (!covers(certificate.kind(), kind) || !numbersAreLegal(certificate)) {
            return OptionalDouble.of(0);
        }
        double[] values =
                certificate.values().stream().mapToDouble(Double::doubleValue).toArray();
        return switch (certificate.kind()) {
            case PHASE_PRICES -> new PhasePriceCheck(times, values).seconds(claim, mustStop);
            case DUAL_FEASIBLE -> OptionalDouble.of(new DualFeasibleCheck(times, values).proves(claim) ? claim : 0);
            case MIX_PRICES -> {
                Double perSlot = certificate.perSlot();
                Double hostShare = certificate.hostShare();
                if (perSlot == null || hostShare == null) {
                    yield new MalleableBounds(times, 1).provenBy(values, mustStop);
                }
                yield OptionalDouble.of(new MixPriceCheck(times, values).seconds(perSlot, hostShare));
            }
        };
    }

    private static boolean covers(Certificate.Kind certificate, PlanKind plan) {
        return switch (certificate) {
            case PHASE_PRICES -> plan == PlanKind.PHASED;
            case DUAL_FEASIBLE -> plan != PlanKind.MALLEABLE;
            case MIX_PRICES -> true;
        };
    }

    private boolean numbersAreLegal(Certificate certificate) {
        List<Double> values = certificate.values();
        int size = certificate.kind() == Certificate.Kind.DUAL_FEASIBLE ? DualFeasibleCheck.VALUES : times.jobs;
        return values.size() == size && values.stream().allMatch(v -> v >= 0 && v < Double.POSITIVE_INFINITY);
    }
}
