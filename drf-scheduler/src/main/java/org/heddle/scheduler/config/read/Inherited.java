// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.QueuePreemptionSettings;

/**
 * The settings that a queue inherits from the queues above it.
 *
 * @param path the parent's path
 * @param limit the smallest limits on the way from the root
 * @param maxRunningApps the smallest on the way from the root
 * @param openToSubmit path of a queue that admits everyone to submit; empty if none
 * @param openToAdminister path of a queue that admits everyone to administer; empty if none
 * @param lifetime the parent's
 * @param partitions the parent's access; its capacities have the smallest limits on the way from the root
 * @param protection the parent's
 */
record Inherited(
        String path,
        Amounts limit,
        int maxRunningApps,
        String openToSubmit,
        String openToAdminister,
        Lifetime lifetime,
        Partitions partitions,
        QueuePreemptionSettings protection) {
    static final Inherited ROOT = new Inherited(
            "",
            Amounts.UNLIMITED,
            Integer.MAX_VALUE,
            "",
            "",
            Lifetime.FOR_EVER,
            Partitions.ALL,
            QueuePreemptionSettings.DEFAULT);

    /** Both limits together: per resource the smaller amount and the smaller part. */
    static Amounts tighter(Amounts a, Amounts b) {
        Map<String, Long> absolute = new TreeMap<>(a.absolute());
        b.absolute().forEach((resource, units) -> absolute.merge(resource, units, Math::min));
        Map<String, Double> fraction = new TreeMap<>(a.fraction());
        b.fraction().forEach((resource, part) -> fraction.merge(resource, part, Math::min));
        return new Amounts(absolute, fraction);
    }
}
