// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.market.policy.SlotScale;
import org.junit.jupiter.api.Test;

class ApplicationMetersTest {
    private static final SlotScale SCALE = new SlotScale(new long[] {1_000}, new long[] {1});

    private static ApplicationMeter used(String id, long slots, long millis) {
        ApplicationMeter meter = new ApplicationMeter(id, "name of " + id, "sam", 0);
        meter.setUsage(0, new long[] {slots}, SCALE);
        meter.setUsage(millis, new long[] {0}, SCALE);
        return meter;
    }

    @Test
    void applicationsPayInProportionToTheirUse() {
        ApplicationMeters meters = new ApplicationMeters();
        meters.add(used("a", 2, 500));
        meters.add(used("idle", 0, 500));
        meters.add(used("b", 1, 2_000));
        assertThat(meters.divide(100))
                .containsExactly(
                        new ClosedEpoch.ApplicationCharge("a", "name of a", "sam", 1_000, 33),
                        new ClosedEpoch.ApplicationCharge("b", "name of b", "sam", 2_000, 67));
        assertThat(meters.divide(0)).isEmpty();
        assertThat(new ApplicationMeters().divide(100)).as("nothing was used").isEmpty();
    }

    @Test
    void partsAddUpAndNoneIsWrongByANanoCredit() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 2_000; round++) {
            ApplicationMeters meters = new ApplicationMeters();
            List<ApplicationMeter> all = new ArrayList<>();
            double total = 0;
            for (int i = 0; i < 1 + random.nextInt(20); i++) {
                // The largest totals do not fit in 63 bits.
                ApplicationMeter meter =
                        used("a" + i, random.nextLong(1_000), random.nextLong(1L << random.nextInt(24)));
                all.add(meter);
                meters.add(meter);
                total += meter.used().exact().doubleValue();
            }
            long charge = random.nextLong(1L << (1 + random.nextInt(40)));
            List<ClosedEpoch.ApplicationCharge> parts = meters.divide(charge);
            if (total == 0) {
                assertThat(parts).isEmpty();
                continue;
            }
            assertThat(parts.stream()
                            .mapToLong(ClosedEpoch.ApplicationCharge::chargeNanos)
                            .sum())
                    .isEqualTo(charge);
            for (ClosedEpoch.ApplicationCharge part : parts) {
                ApplicationMeter meter =
                        all.get(Integer.parseInt(part.application().substring(1)));
                double exact = charge * (meter.used().exact().doubleValue() / total);
                assertThat((double) part.chargeNanos()).isBetween(exact - 1.01, exact + 1.01);
            }
        }
    }

    @Test
    void endedApplicationsAreForgottenWithTheirEpoch() {
        ApplicationMeters meters = new ApplicationMeters();
        ApplicationMeter ended = used("a", 2, 500);
        meters.add(ended);
        ended.end();
        assertThat(meters.divide(10)).hasSize(1);
        meters.begin();
        assertThat(meters.divide(10)).isEmpty();
    }

    @Test
    void aNewSizeOfTheClusterChangesTheUseFromThenOn() {
        ApplicationMeters meters = new ApplicationMeters();
        ApplicationMeter half = new ApplicationMeter("a", "", "", 0);
        half.setUsage(0, new long[] {4}, new SlotScale(new long[] {8}, new long[] {1}));
        meters.add(half);
        meters.rescaled(1_000, new SlotScale(new long[] {8}, new long[] {2}));
        meters.advance(2_000);
        assertThat(meters.divide(9).get(0).slotMillis()).isEqualTo(4_000 + 2_000);
    }

    @Test
    void smallChargesAreMergedBeyondTheLimit() {
        List<ClosedEpoch.Line> bills = List.of(bill("x", 5, 1, 7), bill("y", 2), bill("z", 9, 3));
        assertThat(ApplicationLimit.apply(bills, 6)).isSameAs(bills);
        List<ClosedEpoch.Line> limited = ApplicationLimit.apply(bills, 3);
        assertThat(limited.get(0).applications())
                .extracting(ClosedEpoch.ApplicationCharge::application, ClosedEpoch.ApplicationCharge::chargeNanos)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("x0", 5L),
                        org.assertj.core.groups.Tuple.tuple("x2", 7L),
                        org.assertj.core.groups.Tuple.tuple("", 1L));
        assertThat(limited.get(1).applications())
                .containsExactly(new ClosedEpoch.ApplicationCharge("", "", "", 100, 2));
        assertThat(limited.get(2).applications()).hasSize(2);
    }

    private static ClosedEpoch.Line bill(String queue, long... charges) {
        List<ClosedEpoch.ApplicationCharge> applications = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < charges.length; i++) {
            applications.add(new ClosedEpoch.ApplicationCharge(queue + i, "", "", 100, charges[i]));
            sum += charges[i];
        }
        return new ClosedEpoch.Line(queue, 1, 1, sum, 0, 0, 0, applications);
    }
}
